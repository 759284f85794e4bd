/* The C side of the static device binary: its entry, and what musl lacks for Swift's runtime. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

int TinyUpdater_main(int argc, char **argv);

int main(int argc, char **argv) { return TinyUpdater_main(argc, argv); }

/* Seeds the hashing of dictionaries; without randomness there is nothing safe to go on with. */
void arc4random_buf(void *buffer, size_t size) {
    unsigned char *next = buffer;
    while (size > 0) {
        ssize_t got = getrandom(next, size, 0);
        if (got < 0 && errno != EINTR) abort();
        if (got > 0) next += got, size -= (size_t)got;
    }
}

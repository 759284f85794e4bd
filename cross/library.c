/* What Swift's runtime needs of a C library, and older ones do not have. Only for the library itself: nobody else sees it. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

/* Seeds the hashing of dictionaries; without randomness there is nothing safe to go on with. */
void arc4random_buf(void *buffer, size_t size) {
    unsigned char *next = buffer;
    while (size > 0) {
        ssize_t got = getrandom(next, size, 0);
        if (got < 0 && errno != EINTR) abort();
        if (got > 0) next += got, size -= (size_t)got;
    }
}

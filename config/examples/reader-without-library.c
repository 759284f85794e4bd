/* How a program reads maps that tinyupdater may replace at any moment, without libtinyupdater: docs/readers.md.
 *
 *   cc -o reader reader-without-library.c
 *   reader [--watch | --check] [ROOT]
 *
 * Prints the release and every map, and exits with 1 if a map differs from the manifest.
 *   --watch  repeats that whenever the maps change, until a signal; lets go of maps that are to be replaced in place
 *   --check  reads all bytes of all maps of one generation, then of the one that is current then, and so on,
 *            until SIGTERM or SIGINT; prints each change of the release, each failure, and the counts
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum mode { ONCE, WATCH, CHECK };

/* The target of `current`, such as "generations/41". */
struct name { char text[64]; };

static volatile sig_atomic_t is_stopped;

static void stop(int number) { (void)number; is_stopped = 1; }

static int read_current(int root, struct name *name)
{
    ssize_t length = readlinkat(root, "current", name->text, sizeof name->text - 1);
    if (length < 0) return -1;
    name->text[length] = 0;
    return 0;
}

static int lock_shared(int directory)
{
    while (flock(directory, LOCK_SH) < 0)
        if (errno != EINTR) return -1;
    return 0;
}

/* Opens the current generation and keeps it from being removed until the descriptor is closed.
 * -1 with errno; ENOENT: nothing is installed. */
static int open_current(int root, struct name *name)
{
    for (;;) {
        struct name again;
        if (read_current(root, name) < 0) return -1;
        int generation = openat(root, name->text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int is_held = generation >= 0 && lock_shared(generation) == 0;
        int error = errno;
        /* It may have been replaced and removed before it was locked: only now is it certain. */
        if (read_current(root, &again) == 0 && strcmp(name->text, again.text) == 0) {
            if (is_held) return generation;
            if (generation >= 0) close(generation);
            errno = error;
            return -1;
        }
        if (generation >= 0) close(generation);
    }
}

/* What is wrong with a .dat file in memory; NULL if it is correct. Its data begins after the description. */
static const char *look(const unsigned char *map, size_t size, const char *release)
{
    char wanted[80];
    unsigned long long description = 0;
    if (size < 8) return "is no map";
    for (int index = 7; index >= 0; index--) description = description << 8 | map[index];
    if (description > size - 8) return "is no map";
    snprintf(wanted, sizeof wanted, " release=\"%s\"", release);
    return memmem(map + 8, description, wanted, strlen(wanted)) ? NULL : "is of another release";
}

/* Opens a map below the generation, never through `current`; `release` is NULL for a file that is map data alone. */
static const char *check_map(int generation, const char *path, const char *size, const char *release, enum mode mode)
{
    volatile unsigned char byte = 0;
    struct stat status;
    const char *wrong = NULL;
    /* Many small files have one line, whose path is their directory. */
    int is_directory = path[strlen(path) - 1] == '/';
    int file = openat(generation, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (is_directory ? O_DIRECTORY : 0));
    if (file < 0) return strerror(errno);
    if (is_directory) {
        close(file);
        return NULL;
    }
    if (fstat(file, &status) < 0) {
        wrong = strerror(errno);
    } else if ((unsigned long long)status.st_size != strtoull(size, NULL, 10)) {
        wrong = "has another size";
    } else if (status.st_size > 0) {
        unsigned char *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
        if (map == MAP_FAILED) {
            wrong = strerror(errno);
        } else {
            if (release) wrong = look(map, (size_t)status.st_size, release);
            for (off_t index = 0; mode == CHECK && index < status.st_size; index++) byte ^= map[index];
            munmap(map, (size_t)status.st_size);
        }
    }
    close(file);
    return wrong;
}

/* What follows so many words of a line, without the line's end. */
static const char *after_words(char *line, int count)
{
    line[strcspn(line, "\n")] = 0;
    while (count-- > 0 && (line = strchr(line, ' '))) line++;
    return line ? line : "";
}

/* Reads the manifest (docs/format/store.md) and all maps that it lists; returns how many differ. */
static int check_generation(int generation, const char *name, enum mode mode)
{
    static char last[256];
    char line[1200], id[256], group[128], release[64], size[64], path[600];
    int failures = 0, is_known = 0, is_whole = 0;
    int file = openat(generation, "manifest", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    FILE *manifest = file < 0 ? NULL : fdopen(file, "r");
    while (manifest && fgets(line, sizeof line, manifest)) {
        const char *wrong;
        if (strcmp(line, "tinyupdater-manifest 1\n") == 0) is_known = 1;
        if (strncmp(line, "end ", 4) == 0) is_whole = is_known;
        if (strncmp(line, "release ", 8) == 0 && (mode != CHECK || strncmp(line, last, sizeof last - 1) != 0)) {
            printf("%s %s", name, line);
            snprintf(last, sizeof last, "%.255s", line);
        }
        if (sscanf(line, "component %255s %127s %63s %63s", id, group, release, size) == 4) {
            snprintf(path, sizeof path, "maps/%s/%s.dat", id, group);
            wrong = check_map(generation, path, size, release, mode);
        } else if (sscanf(line, "file %255s %127s %63s %63s", id, group, release, size) == 4) {
            /* The path is the rest of the line, and may have spaces. */
            snprintf(path, sizeof path, "maps/%s", after_words(line, 7));
            wrong = check_map(generation, path, size, NULL, mode);
        } else {
            continue;
        }
        if (wrong || mode != CHECK) printf("%s %s\n", path, wrong ? wrong : "ok");
        failures += wrong != NULL;
    }
    if (!is_whole) printf("%s has no manifest of the known format, or not all of it\n", name);
    if (manifest) fclose(manifest);
    return failures + !is_whole;
}

/* Returns when a name has changed below the root, or after `limit` milliseconds (-1: none); -1 with errno. */
static int wait_for_change(int changes, int limit)
{
    char events[4096];
    struct pollfd poll_changes = {.fd = changes, .events = POLLIN};
    int count = poll(&poll_changes, 1, limit);
    return count > 0 ? (int)read(changes, events, sizeof events) : count;
}

/* An update in place waits until nobody has these maps, before any of them leaves. */
static int is_asked_to_let_go(int root, const struct name *held)
{
    struct name current;
    return faccessat(root, "in-place", F_OK, 0) == 0 && read_current(root, &current) == 0
           && strcmp(current.text, held->text) == 0;
}

/* Checks every generation that becomes current, and holds it until the next one. */
static int watch(int root, int changes)
{
    struct name name, seen = {""};
    int generation = -1;
    do {
        if (generation >= 0 && is_asked_to_let_go(root, &seen)) {
            close(generation);
            generation = -1;
            while (is_asked_to_let_go(root, &seen) && wait_for_change(changes, 20000) > 0) continue;
        }
        int next = open_current(root, &name);
        if (next < 0 && errno != ENOENT) return -1;
        if (next < 0) continue;
        if (strcmp(name.text, seen.text) != 0) check_generation(next, name.text, WATCH);
        /* Only now: there is no moment without maps. */
        if (generation >= 0) close(generation);
        generation = next;
        seen = name;
    } while (wait_for_change(changes, -1) > 0);
    return -1;
}

/* Checks the current generation once, or repeatedly; returns the exit code. */
static int check(int root, enum mode mode)
{
    unsigned long views = 0, failures = 0;
    struct name name;
    do {
        int generation = open_current(root, &name);
        if (generation < 0) return -1;
        failures += check_generation(generation, name.text, mode) > 0;
        views++;
        close(generation);
    } while (mode == CHECK && !is_stopped);
    if (mode == CHECK) printf("%lu views, %lu failures\n", views, failures);
    return failures > 0;
}

int main(int count, char **words)
{
    enum mode mode = count > 1 && !strcmp(words[1], "--watch")   ? WATCH
                     : count > 1 && !strcmp(words[1], "--check") ? CHECK
                                                                 : ONCE;
    const char *path = count > (mode == ONCE ? 1 : 2) ? words[count - 1] : "/var/lib/tinyupdater";
    struct sigaction action = {.sa_handler = stop};
    int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), changes = inotify_init1(IN_CLOEXEC), status = -1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    sigemptyset(&action.sa_mask);
    if (mode == CHECK && (sigaction(SIGTERM, &action, NULL) < 0 || sigaction(SIGINT, &action, NULL) < 0)) return 2;
    /* The watch begins before the first read, so that no change is missed. */
    if (root >= 0 && inotify_add_watch(changes, path, IN_MOVED_TO | IN_ONLYDIR) >= 0)
        status = mode == WATCH ? watch(root, changes) : check(root, mode);
    if (status < 0) perror(path);
    return status < 0 ? 2 : status;
}

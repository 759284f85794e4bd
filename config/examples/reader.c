/* How a program reads maps that tinyupdater may replace at any moment: docs/readers.md.
 *
 *   cc -o reader reader.c $(pkg-config --cflags --libs tinyupdater)
 *   reader [--watch | --check] [ROOT]
 *
 * Prints the release and every map, and exits with 1 if a map cannot be read as a whole.
 *   --watch  repeats that whenever the maps change, until a signal; lets go of maps that are to be replaced in place
 *   --check  reads all maps of one release, then of the one that is current then, and so on, until SIGTERM or SIGINT;
 *            prints each change of the release, each failure, and the counts
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <tinyupdater.h>
#include <unistd.h>

static volatile sig_atomic_t is_stopped;

static void stop(int number) { (void)number; is_stopped = 1; }

/* Whether all bytes of a map can be read. */
static bool is_whole(const tu_maps *maps, const struct tu_map *map)
{
    static char bytes[65536];
    int file = tu_map_fd(maps, map, NULL);
    uint64_t size = 0;
    ssize_t count = 1;
    while (file >= 0 && !map->is_directory && (count = read(file, bytes, sizeof bytes)) > 0) size += (uint64_t)count;
    if (file >= 0) close(file);
    return file >= 0 && (map->is_directory || size == map->size);
}

/* Reads all maps; returns how many are not whole. `last`: the release that was printed last. */
static int look(const tu_maps *maps, bool is_quiet, uint64_t *last)
{
    int failures = 0;
    uint64_t release = tu_maps_release_number(maps);
    if (release != 0 && (!is_quiet || release != *last))
        printf("%s release %llu %s\n", tu_maps_directory(maps), (unsigned long long)release, tu_maps_release_label(maps));
    *last = release;
    for (size_t index = 0; index < tu_maps_count(maps); index++) {
        const struct tu_map *map = tu_maps_get(maps, index);
        bool is_ok = is_whole(maps, map);
        if (!is_ok || !is_quiet) printf("%s %s\n", map->path, is_ok ? "ok" : "cannot be read as a whole");
        failures += !is_ok;
    }
    return failures;
}

int main(int count, char **words)
{
    bool watches = count > 1 && !strcmp(words[1], "--watch"), checks = count > 1 && !strcmp(words[1], "--check");
    struct tu_options options = {.size = sizeof options};
    unsigned long views = 0, failures = 0;
    uint64_t last = 0;
    tu_loader *loader;
    tu_maps *maps = NULL, *next;
    if (count > 1 + (watches || checks)) options.root = words[count - 1];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (checks) signal(SIGTERM, stop), signal(SIGINT, stop);
    if (tu_open(&options, &loader) != TU_SUCCESS) return 2;
    do {
        if (maps && tu_maps_state(maps) == TU_MAPS_WANTED) tu_maps_release(maps), maps = NULL;
        enum tu_result result = tu_maps_hold(loader, &next);
        if (result != TU_SUCCESS && result != TU_BUSY) fprintf(stderr, "reader: %s\n", tu_message(loader));
        if (result == TU_SUCCESS) {
            /* Only now: there is no moment without maps. */
            if (maps) tu_maps_release(maps);
            maps = next;
            failures += look(maps, checks, &last) > 0;
            views++;
        } else if (!watches) return 1;
        if (!watches) continue;
        struct pollfd changes = {.fd = tu_fd(loader), .events = POLLIN};
        while (tu_next(loader) != TU_MAPS) poll(&changes, 1, -1);
    } while (watches || (checks && !is_stopped));
    if (checks) printf("%lu views, %lu failures\n", views, failures);
    if (last == 0) fprintf(stderr, "reader: nothing is installed\n");
    tu_maps_release(maps);
    tu_close(loader);
    return last == 0 ? 2 : failures > 0;
}

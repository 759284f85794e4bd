/* A navigation program, as far as tests need one: makes one request through libtinyupdater and prints its events as lines of JSON.
 * usage: navigation ROOT SOCKET PROGRAM CONFIG COMMAND [ARGUMENT]...      (SOCKET may be empty; exits with the result)
 *   maps: prints "release LABEL", and each map with what the first bytes of its data are
 *   hold: prints "held", then the state of the maps whenever it may have changed, until SIGTERM
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tinyupdater.h>
#include <unistd.h>

static uint64_t begin(tu_loader *loader, const char *command, const char *const *words, size_t count)
{
    if (!strcmp(command, "watch")) return tu_watch(loader);
    if (!strcmp(command, "status")) return tu_status(loader);
    if (!strcmp(command, "check")) return tu_check(loader);
    if (!strcmp(command, "plan")) return tu_plan(loader);
    if (!strcmp(command, "groups")) return tu_groups(loader);
    if (!strcmp(command, "tree")) return tu_tree(loader, TU_TREE_FINE);
    if (!strcmp(command, "composite")) return tu_tree(loader, TU_TREE_COMPOSITE);
    if (!strcmp(command, "select")) return tu_select_groups(loader, words, count);
    if (!strcmp(command, "deselect")) return tu_deselect_groups(loader, words, count);
    if (!strcmp(command, "polygons")) return tu_polygons(loader, words, count);
    if (!strcmp(command, "install")) return tu_install(loader, words, count);
    if (!strcmp(command, "uninstall")) return tu_uninstall(loader, words, count);
    if (!strcmp(command, "update")) return tu_update(loader);
    if (!strcmp(command, "stage")) return tu_stage(loader);
    if (!strcmp(command, "activate")) return tu_activate(loader);
    if (!strcmp(command, "cancel")) return tu_cancel(loader, words, count);
    if (!strcmp(command, "repair")) return tu_repair(loader);
    if (!strcmp(command, "rollback")) return tu_rollback(loader);
    if (!strcmp(command, "confirm")) return tu_confirm(loader);
    if (!strcmp(command, "cancel-operation") && count == 1)
        return tu_cancel_operation(loader, strtoull(words[0], NULL, 10));
    if (!strcmp(command, "at") && count == 2) {
        struct tu_place place = {strtod(words[0], NULL), strtod(words[1], NULL)};
        return tu_at(loader, &place);
    }
    if (!strcmp(command, "near") && count == 3) {
        struct tu_place place = {strtod(words[0], NULL), strtod(words[1], NULL)};
        return tu_near(loader, &place, (uint32_t)strtoul(words[2], NULL, 10));
    }
    if (!strcmp(command, "position") && count == 2) {
        struct tu_place place = {strtod(words[0], NULL), strtod(words[1], NULL)};
        return tu_position(loader, &place);
    }
    fprintf(stderr, "navigation: there is no command %s\n", command);
    exit(64);
}

static void wait_for(tu_loader *loader)
{
    struct pollfd descriptor = {.fd = tu_fd(loader), .events = POLLIN};
    if (poll(&descriptor, 1, -1) < 0 && errno != EINTR) {
        perror("poll");
        exit(1);
    }
}

static int print_maps(tu_loader *loader)
{
    tu_maps *maps;
    enum tu_result result = tu_maps_hold(loader, &maps);
    if (result != TU_SUCCESS) {
        fprintf(stderr, "navigation: %s\n", tu_message(loader));
        return result;
    }
    printf("release %s\n", tu_maps_release_label(maps));
    for (size_t index = 0; index < tu_maps_count(maps); index++) {
        const struct tu_map *map = tu_maps_get(maps, index);
        unsigned char bytes[4] = {0};
        uint64_t offset;
        if (tu_maps_find_path(maps, map->path) != map || tu_maps_find_path(maps, "elsewhere")) return 1;
        int file = tu_map_fd(maps, map, &offset);
        if (file < 0 || (!map->is_directory && pread(file, bytes, sizeof bytes, (off_t)offset) < 0)) {
            perror(map->path);
            return 1;
        }
        close(file);
        printf("%s %s %s %llu %02x%02x%02x%02x\n", map->id, map->group, map->path, (unsigned long long)map->size,
               bytes[0], bytes[1], bytes[2], bytes[3]);
    }
    tu_maps_release(maps);
    return 0;
}

static void hold(tu_loader *loader)
{
    static const char *const states[] = {"current", "replaced", "wanted"};
    tu_maps *maps;
    if (tu_maps_hold(loader, &maps) != TU_SUCCESS) exit(1);
    puts("held");
    for (;;) {
        wait_for(loader);
        while (tu_next(loader) != TU_NOTHING)
            puts(states[tu_maps_state(maps)]);
    }
}

int main(int count, char **words)
{
    struct tu_options options = {.size = sizeof options, .language = "en"};
    tu_loader *loader;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count < 6) return 64;
    options.root = words[1];
    options.socket = words[2];
    options.program = words[3];
    options.config = words[4];
    if (tu_open(&options, &loader) != TU_SUCCESS) return 1;
    if (!strcmp(words[5], "maps")) {
        int result = print_maps(loader);
        tu_close(loader);
        return result;
    }
    if (!strcmp(words[5], "hold")) hold(loader);
    if (!begin(loader, words[5], (const char *const *)words + 6, (size_t)count - 6)) {
        int result = (int)tu_failure(loader);
        printf("{\"event\":\"result\",\"result\":\"%s\",\"exit\":%d,\"message\":\"", tu_result_name(tu_failure(loader)),
               result);
        for (const char *next = tu_message(loader); *next; next++) putchar(*next == '"' ? '\'' : *next);
        puts("\"}");
        tu_close(loader);
        return result;
    }
    for (;;) {
        enum tu_event event;
        while ((event = tu_next(loader)) != TU_NOTHING) {
            if (event == TU_MAPS) continue;
            puts(tu_event_json(loader));
            if (event == TU_RESULT) {
                enum tu_result result = tu_event_result(loader);
                if (strcmp(tu_result_name(result), tu_event_text(loader, "result")) != 0) return 1;
                tu_close(loader);
                return (int)result;
            }
        }
        wait_for(loader);
    }
}

/* libtinyupdater: the maps of this device, for navigation programs.
 *
 * One descriptor to poll, no threads, no callbacks: every request returns at once, and its answers are events. A loader and
 * everything that came from it belong to one thread at a time. Strings are UTF-8, sizes bytes. tinyupdater(3) explains it.
 */
#ifndef TINYUPDATER_H
#define TINYUPDATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Functions are added, and never changed or removed, while this is 1: it is the number in the name of the library. */
#define TU_ABI_VERSION 1

/* How something ended: the exit codes of tinyupdater, and one more. */
enum tu_result {
  TU_SUCCESS = 0,
  TU_UPDATE_AVAILABLE = 10,
  TU_APPLICATION_TOO_OLD = 11,
  TU_INCOMPLETE = 12,
  TU_WITHHELD = 13,
  TU_CONNECTION_FAILED = 20,
  TU_REJECTED = 21,
  TU_OUT_OF_SPACE = 22,
  TU_OVER_BUDGET = 23,
  TU_STORAGE_FAILED = 24,
  TU_BUSY = 25,
  TU_OPERATION_CANCELLED = 26,
  TU_INVALID_PARAMETERS = 64,
  TU_PERMISSION_DENIED = 77, /* the user may not ask for it: not in the group of the service */
  TU_INITIALIZATION_FAILED = 78
};

/* The name of a result, such as "OutOfSpace"; "Unknown" for a number that is none. */
const char *tu_result_name(enum tu_result result);

/* --- A loader ------------------------------------------------------------------------------------------------------ */

typedef struct tu_loader tu_loader;

/* Members that are NULL have the values in brackets. */
struct tu_options {
  size_t size;          /* sizeof(struct tu_options), which tells later versions apart */
  const char *root;     /* the store [/var/lib/tinyupdater] */
  const char *socket;   /* the service, tinyupdater serve [/run/org.tinyupdater.Maps]; "": always start the program */
  const char *program;  /* what is started where there is no service [/usr/sbin/tinyupdater]; "": nothing */
  const char *config;   /* the configuration for that program [its own default] */
  const char *language; /* of names, such as "de" [that of the locale] */
};

/* Makes a loader; `options` may be NULL. It opens no connection, and needs neither a store nor a service yet. */
enum tu_result tu_open(const struct tu_options *options, tu_loader **loader);

/* Frees it; operations go on. */
void tu_close(tu_loader *loader);

/* A descriptor that is readable when tu_next may have something: for poll(2), epoll(7), or a main loop. Never read it. */
int tu_fd(const tu_loader *loader);

/* The last function that failed: its result, and a sentence, which stays until another one fails. */
enum tu_result tu_failure(const tu_loader *loader);
const char *tu_message(const tu_loader *loader);

/* --- Requests ------------------------------------------------------------------------------------------------------ */

/* Each returns the number of the request, and 0 if it cannot be made: tu_failure and tu_message say why. Its last event is TU_RESULT.
 * At most 16 are answered at a time. */

uint64_t tu_watch(tu_loader *loader);  /* the whole state, then every event; has no end */
uint64_t tu_status(tu_loader *loader); /* TU_STATUS */
uint64_t tu_check(tu_loader *loader);  /* asks the repository: TU_CHECK */
uint64_t tu_plan(tu_loader *loader);   /* what an update would download: TU_PACKAGE for each that changes, TU_PLAN */
uint64_t tu_groups(tu_loader *loader); /* TU_GROUP for each data group */

enum tu_tree { TU_TREE_FINE, TU_TREE_COMPOSITE };

/* TU_REGION and TU_PACKAGE, parents before their children. Composite: packages that are details are hidden in the region
 * above them. */
uint64_t tu_tree(tu_loader *loader, enum tu_tree tree);

/* Degrees (WGS 84). */
struct tu_place {
  double latitude, longitude;
};

uint64_t tu_at(tu_loader *loader, const struct tu_place *place); /* TU_PACKAGE, the smallest one there, or none */

/* TU_PACKAGE for each package within that distance, 5,000,000 metres at most. */
uint64_t tu_near(tu_loader *loader, const struct tu_place *place, uint32_t metres);

/* TU_POLYGON for each ring of the packages: member "corners" has latitude, longitude, latitude, ... of up to 256 corners. A
 * longer ring has several, with the same "ring" and "id". What an odd number of rings surround is inside. */
uint64_t tu_polygons(tu_loader *loader, const char *const *ids, size_t count);

/* Notes where the device is: updates then bring the maps around it. Cheap enough for once a minute. */
uint64_t tu_position(tu_loader *loader, const struct tu_place *place);

uint64_t tu_select_groups(tu_loader *loader, const char *const *names, size_t count);
uint64_t tu_deselect_groups(tu_loader *loader, const char *const *names, size_t count);

/* Operations. TU_OPERATION has the number of the operation. It goes on without this program; tu_cancel ends it. */
uint64_t tu_install(tu_loader *loader, const char *const *ids, size_t count);
uint64_t tu_uninstall(tu_loader *loader, const char *const *ids, size_t count);
uint64_t tu_update(tu_loader *loader);
uint64_t tu_stage(tu_loader *loader);    /* everything of an update but the switch, */
uint64_t tu_activate(tu_loader *loader); /* which is this, without a network; no operation of the queue */
uint64_t tu_cancel(tu_loader *loader, const char *const *ids, size_t count); /* those on these ids; 0: all */

uint64_t tu_cancel_operation(tu_loader *loader, uint64_t operation);

/* For the user of the service and root. */
uint64_t tu_repair(tu_loader *loader);
uint64_t tu_rollback(tu_loader *loader);
uint64_t tu_confirm(tu_loader *loader);

/* No further events of a request. A question or a watch ends; an operation goes on. */
void tu_leave(tu_loader *loader, uint64_t request);

/* --- Events -------------------------------------------------------------------------------------------------------- */

enum tu_event {
  TU_NOTHING = 0, /* poll tu_fd */
  TU_RESULT,      /* a request has ended: tu_event_result */
  TU_MAPS,        /* of no request: other maps may be current, or are to be let go; see tu_maps_state */
  TU_STATE,
  TU_READY,
  TU_STATUS,
  TU_REGION,
  TU_PACKAGE,
  TU_GROUP,
  TU_CHECK,
  TU_PLAN,
  TU_OPERATION,
  TU_COMPONENT,
  TU_PROGRESS,
  TU_CONNECTION_LOST,
  TU_CONNECTION_FOUND,
  TU_APPLYING,
  TU_CHANGED,
  TU_NOTICE,
  TU_ERROR,
  TU_POLYGON,
  TU_OTHER = 255 /* one that has no number: tu_event_text(loader, "event") names it */
};

/* The next event, which the functions below are about until the next call; TU_NOTHING if there is none now. */
enum tu_event tu_next(tu_loader *loader);

uint64_t tu_event_request(const tu_loader *loader);       /* of which request; 0: of none */
enum tu_result tu_event_result(const tu_loader *loader);  /* of TU_RESULT */

/* Members of the event by their names in events.md, such as "id"; with dots below others: "release.number", "groups.0". */
const char *tu_event_text(tu_loader *loader, const char *member);     /* NULL if it is no text */
uint64_t tu_event_number(const tu_loader *loader, const char *member); /* 0 if it is no whole number */
bool tu_event_flag(const tu_loader *loader, const char *member);       /* false if it is no flag */
size_t tu_event_count(const tu_loader *loader, const char *member);    /* elements of a list; 0 if it is none */
bool tu_event_real(const tu_loader *loader, const char *member, double *value); /* false if it is no number */

/* All of it, one object of JSON (RFC 8259). */
const char *tu_event_json(tu_loader *loader);

/* --- Maps ---------------------------------------------------------------------------------------------------------- */

/* The maps of one release, complete, which stay as they are for as long as they are held: readers.md. */
typedef struct tu_maps tu_maps;

struct tu_map {
  const char *id, *group;
  const char *path;     /* below the generation, such as "maps/europe/malta/base.mbtiles" */
  uint64_t release;     /* the number of the one that last changed it */
  uint64_t size;
  const char *digest;   /* SHA-256 in 64 digits: the same map has the same one in every release */
  bool is_directory;    /* many small files: `path` is their directory */
  bool is_described;    /* a .dat file: the data begins after its description, see tu_map_fd */
};

/* Holds the current maps; none are installed if there are 0. TU_BUSY: they are just being replaced in place. */
enum tu_result tu_maps_hold(tu_loader *loader, tu_maps **maps);

/* Lets go of them. Close the descriptors of their files as well. */
void tu_maps_release(tu_maps *maps);

uint64_t tu_maps_release_number(const tu_maps *maps); /* 0 if there are none */
const char *tu_maps_release_label(const tu_maps *maps);
const char *tu_maps_directory(const tu_maps *maps);   /* in which the paths of maps are, for libraries that want a path */
size_t tu_maps_count(const tu_maps *maps);
const struct tu_map *tu_maps_get(const tu_maps *maps, size_t index);                        /* NULL beyond the last */
const struct tu_map *tu_maps_find(const tu_maps *maps, const char *id, const char *group); /* the first; NULL if none */

const struct tu_map *tu_maps_find_path(const tu_maps *maps, const char *path); /* as in its member; NULL if none */

enum tu_maps_state {
  TU_MAPS_CURRENT,
  TU_MAPS_REPLACED, /* others are current: hold those, then let go of these */
  TU_MAPS_WANTED    /* an update in place waits 15 seconds for these: close and unmap everything, let go, hold again */
};

enum tu_maps_state tu_maps_state(const tu_maps *maps);

/* Opens a map to read; -1 with errno set. The caller closes it. `offset`, if it is not NULL: where its data begins. */
int tu_map_fd(const tu_maps *maps, const struct tu_map *map, uint64_t *offset);

#ifdef __cplusplus
}
#endif
#endif

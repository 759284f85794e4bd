// jansson, and wrappers for its macros and for the two functions of libc that its allocator needs.
#pragma once
#include <jansson.h>
#include <stdlib.h>

static inline json_type tu_json_type(const json_t *value) { return json_typeof(value); }
// Some of its allocations fail without a word.
static inline int tu_json_is_out_of_memory(const json_error_t *error) {
  return json_error_code(error) == json_error_out_of_memory || error->text[0] == 0;
}
static inline void *tu_json_malloc(size_t size) { return malloc(size); }
static inline void tu_json_free(void *block) { free(block); }
static inline const char *tu_json_error_text(const json_error_t *error) { return error->text; }

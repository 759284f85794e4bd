#pragma once
#include <jansson.h>

// A macro over a member.
static inline json_type tu_json_type(const json_t *value) { return json_typeof(value); }

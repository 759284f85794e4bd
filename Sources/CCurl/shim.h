#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic: one wrapper per argument shape.
typedef size_t (*tu_curl_data_fn)(char *, size_t, size_t, void *);
typedef int (*tu_curl_progress_fn)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode tu_curl_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode tu_curl_set_offset(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode tu_curl_set_string(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode tu_curl_set_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode tu_curl_set_list(CURL *h, CURLoption o, struct curl_slist *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode tu_curl_set_data_fn(CURL *h, CURLoption o, tu_curl_data_fn f) { return curl_easy_setopt(h, o, f); }
static inline CURLcode tu_curl_set_progress_fn(CURL *h, tu_curl_progress_fn f) {
  return curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, f);
}
// Swift does not import macros with casts.
static const long tu_curl_auth_basic = (long)CURLAUTH_BASIC;
static const long tu_curl_auth_bearer = (long)CURLAUTH_BEARER;
static inline CURLcode tu_curl_get_long(CURL *h, CURLINFO i, long *out) { return curl_easy_getinfo(h, i, out); }
static inline CURLcode tu_curl_get_offset(CURL *h, CURLINFO i, curl_off_t *out) { return curl_easy_getinfo(h, i, out); }

// The allocation functions of this process, in front of the C library's: they never return a failure.
//
// C libraries handle a failed allocation badly (some drop the error, some write beyond a block), and Swift traps
// without a message. So none of them ever sees one: the first refusal ends the process with one sentence and an
// exit code. The store is whole at any instruction, as it is when the power fails.
//
// A static program is linked with --wrap (cross/build, cross/static-publisher): calls of NAME reach __wrap_NAME, and
// __real_NAME is the C library's. In a dynamic program these functions take precedence over those of the GNU C library
// ("Replacing malloc", section 3.2.5 of its manual), which exports its own as __libc_NAME too.
#define _GNU_SOURCE  // for RTLD_NEXT
#include "CMemory.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined __GLIBC__
#include <malloc.h>
#endif

static const char *sentence = "out of memory\n";
static int code = 23;

void tu_when_out_of_memory(const void *text, int status) {
  sentence = text;
  code = status;
}

void tu_keep_freed_memory(void) {
#if defined __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

static _Noreturn __attribute__((unused)) void end(void) {
  size_t left = strlen(sentence);
  const char *next = sentence;
  while (left > 0) {
    ssize_t count = write(STDERR_FILENO, next, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    next += count;
    left -= (size_t)count;
  }
  _exit(code);
}

// A sanitizer has an allocator of its own, which needs to be the first that is called.
#if !defined __has_feature
#define __has_feature(name) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

// A request for nothing may be answered with nothing.
static void *given(void *block, size_t size) {
  if (block == NULL && size > 0) end();
  return block;
}

#if defined __GLIBC__ && !defined TU_STATIC

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define REAL(name) __libc_##name
#define FRONT(name) name

#else

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

#define REAL(name) __real_##name
#define FRONT(name) __wrap_##name
#define __real_memalign __real_aligned_alloc

#endif

void *FRONT(malloc)(size_t size) { return given(REAL(malloc)(size), size); }

void *FRONT(calloc)(size_t count, size_t size) { return given(REAL(calloc)(count, size), count > 0 ? size : 0); }

void *FRONT(realloc)(void *block, size_t size) { return given(REAL(realloc)(block, size), size); }

void *FRONT(reallocarray)(void *block, size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size) end();
  return FRONT(realloc)(block, count * size);
}

void *FRONT(memalign)(size_t alignment, size_t size) { return given(REAL(memalign)(alignment, size), size); }

void *FRONT(aligned_alloc)(size_t alignment, size_t size) { return FRONT(memalign)(alignment, size); }

int FRONT(posix_memalign)(void **block, size_t alignment, size_t size) {
  *block = FRONT(memalign)(alignment, size);
  return 0;
}

#if defined __GLIBC__

#if defined TU_STATIC
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
#endif

// A thread that has no memory for its stack: libdispatch would ask for it again for ever. Others may end and leave
// theirs, so it is asked for during some seconds.
int FRONT(pthread_create)(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
    void *restrict argument) {
#if defined TU_STATIC
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = __real_pthread_create;
#else
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
  if (create == NULL) end();
#endif
  for (int left = 30;; left--) {
    int error = create(thread, attributes, start, argument);
    if (error != EAGAIN && error != ENOMEM) return error;
    if (left == 0) end();
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
  }
}

#else

// musl's own, as the C compiler brings it, allocates without passing by here.
char *FRONT(strdup)(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(FRONT(malloc)(size), text, size);
}

char *FRONT(strndup)(const char *text, size_t limit) {
  size_t length = strnlen(text, limit);
  char *copy = FRONT(malloc)(length + 1);
  copy[length] = 0;
  return memcpy(copy, text, length);
}

#endif

#elif __has_feature(address_sanitizer)

// The search for leaks at exit does not recognize pointers with tag bits, which Swift's enums have.
const char *__asan_default_options(void) { return "detect_leaks=0"; }

#endif

// The only door to libc: device modules never import Glibc or Musl, whose Swift overlays exist for
// regular Swift alone. Here are the headers, and a wrapper for each macro and variadic function.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// errno is a macro over a thread-local.
static inline int tu_errno(void) { return errno; }
static inline void tu_set_errno(int code) { errno = code; }

// open(2), openat(2), fcntl(2) and ioctl(2) are variadic.
static inline int tu_openat(int dir, const char *path, int flags, mode_t mode) {
  return openat(dir, path, flags | O_CLOEXEC, mode);
}

static inline int tu_terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// The file type bits are cast macros.
static inline int tu_is_directory(const struct stat *s) { return S_ISDIR(s->st_mode); }
static inline int tu_is_regular(const struct stat *s) { return S_ISREG(s->st_mode); }

// Swift sees an intrinsic of its own under this name.
static inline double tu_sine(double radians) { return sin(radians); }

// setrlimit's first argument is an enum in glibc and an int in musl.
static inline int tu_limit_data(unsigned long long bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes) return 0;
  limit.rlim_cur = bytes;
  return setrlimit(RLIMIT_DATA, &limit);
}

static inline unsigned long long tu_data_limit(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_DATA, &limit) == 0 ? (unsigned long long)limit.rlim_cur : 0;
}

static inline long long tu_peak_resident_kib(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : -1;
}

// sigaction's handler is a member of a union. SA_RESTART is not set: a blocked call must return.
static inline int tu_on_signal(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  return sigaction(number, &action, NULL);
}
static inline int tu_default_signal(int number) { return signal(number, SIG_DFL) == SIG_ERR ? -1 : 0; }
static inline int tu_ignore_signal(int number) { return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }

// fork(2), for a process with one thread that holds nothing a second one could spoil.
static inline pid_t tu_fork(void) { return fork(); }

// d_name is an array member, and readlinkat wants a char pointer.
static inline const char *tu_entry_name(const struct dirent *entry) { return entry->d_name; }
static inline ssize_t tu_readlinkat(int dir, const char *path, unsigned char *out, size_t size) {
  return readlinkat(dir, path, (char *)out, size);
}

// syncfs(2) is declared only with _GNU_SOURCE, which would change other modules' view of shared types.
int syncfs(int fd);

// getopt's results are global variables, which Swift does not let be read as they are.
static inline const char *tu_option_value(void) { return optarg; }
static inline int tu_option_index(void) { return optind; }
static inline void tu_set_option_index(int index) { optind = index; }

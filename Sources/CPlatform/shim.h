// The only door to libc: device modules never import Glibc or Musl, whose Swift overlays exist for
// regular Swift alone. Here are the headers, and a wrapper for each macro and variadic function.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <syslog.h>
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

static inline int tu_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

// From now on, read(2) waits.
static inline int tu_wait_for_bytes(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

static inline int tu_terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// The file type bits are cast macros.
static inline int tu_is_directory(const struct stat *s) { return S_ISDIR(s->st_mode); }
static inline int tu_is_regular(const struct stat *s) { return S_ISREG(s->st_mode); }
static inline int tu_is_pipe(const struct stat *s) { return S_ISFIFO(s->st_mode); }
static inline int tu_is_socket(const struct stat *s) { return S_ISSOCK(s->st_mode); }
// /dev/null, whatever its name (Documentation/admin-guide/devices.txt of the kernel).
static inline int tu_is_null(const struct stat *s) { return S_ISCHR(s->st_mode) && s->st_rdev == makedev(1, 3); }

// Swift sees an intrinsic of its own under this name.
static inline double tu_sine(double radians) { return sin(radians); }

// The lowest priority: nice 19, and I/O when nobody else has any (class 3, idle). libc has no ioprio_set(2).
static inline void tu_give_way(void) {
  (void)setpriority(PRIO_PROCESS, 0, 19);
  (void)syscall(SYS_ioprio_set, 1, 0, 3 << 13);
}

// setrlimit's first argument is an enum in glibc and an int in musl.
static inline int tu_limit_data(unsigned long long bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes) return 0;
  limit.rlim_cur = bytes;
  return setrlimit(RLIMIT_DATA, &limit);
}

// Raises the limit of the stack to `bytes` where it is lower and may be raised; the limit that is in force then.
static inline unsigned long long tu_raise_stack(unsigned long long bytes) {
  struct rlimit limit, raised;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes) return bytes;
  raised.rlim_cur = bytes;
  raised.rlim_max = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > bytes ? limit.rlim_max : bytes;
  if (setrlimit(RLIMIT_STACK, &raised) == 0) return bytes;
  // Only root may go beyond the hard limit.
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_STACK, &limit);
  return getrlimit(RLIMIT_STACK, &limit) == 0 ? limit.rlim_cur : 0;
}

static inline int tu_limits_file_sizes(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
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
static inline int tu_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
static inline int tu_default_signal(int number) { return signal(number, SIG_DFL) == SIG_ERR ? -1 : 0; }
static inline int tu_ignore_signal(int number) { return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }

// fork(2), for a process with one thread that holds nothing a second one could spoil.
static inline pid_t tu_fork(void) { return fork(); }

// pipe2(2), like syncfs(2).
int pipe2(int ends[2], int flags);

// A stream that is at its end: /dev/null, or a pipe where that is missing, as early in the start of a device.
static inline int tu_open_nothing(void) {
  int ends[2];
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0 || pipe2(ends, O_CLOEXEC) != 0) return null;
  close(ends[1]);
  return ends[0];
}

// open(2) gives the lowest free descriptor: closed standard streams become empty ones.
static inline void tu_open_standard_streams(void) {
  int last;
  do last = tu_open_nothing(); while (last >= 0 && last <= 2);
  if (last > 2) close(last);
}

// d_name is an array member, and readlinkat wants a char pointer.
static inline const char *tu_entry_name(const struct dirent *entry) { return entry->d_name; }
static inline ssize_t tu_readlinkat(int dir, const char *path, unsigned char *out, size_t size) {
  return readlinkat(dir, path, (char *)out, size);
}

// inotify(7). Its flags are enums in glibc and macros in musl, and an event ends with an array of any length.
static inline int tu_open_watch(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }
static inline int tu_watch_files(int watch, const char *directory) {
  return inotify_add_watch(watch, directory, IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW);
}
static inline int tu_watch_names(int watch, const char *directory) {
  return inotify_add_watch(watch, directory, IN_CREATE | IN_MOVE | IN_DELETE | IN_ONLYDIR);
}

// The name in the event at `*offset`, which becomes that of the next one; NULL after the last of `count` bytes.
static inline const char *tu_next_watched(const void *events, size_t count, size_t *offset) {
  const struct inotify_event *event = (const struct inotify_event *)((const char *)events + *offset);
  if (count - *offset < sizeof *event) return NULL;
  *offset += sizeof *event + event->len;
  return event->len > 0 ? event->name : "";
}

// syncfs(2) is declared only with _GNU_SOURCE, which would change other modules' view of shared types.
int syncfs(int fd);

// getopt's results are global variables, which Swift does not let be read as they are.
static inline const char *tu_option_value(void) { return optarg; }
static inline int tu_option_index(void) { return optind; }
static inline void tu_silence_options(void) { opterr = 0; }
static inline void tu_set_option_index(int index) { optind = index; }

// syslog(3) is variadic, and its priorities are macros; the levels of Log have their numbers.
static inline void tu_connect_log(void) { openlog("tinyupdater", LOG_PID | LOG_NDELAY, LOG_DAEMON); }
static inline void tu_log(int level, const char *text) {
  openlog("tinyupdater", LOG_PID, LOG_DAEMON);
  syslog(level, "%s", text);
}

// fallocate(2), like syncfs(2); the flag is FALLOC_FL_KEEP_SIZE.
int fallocate(int fd, int mode, off_t offset, off_t length);
static inline int tu_reserve(int fd, off_t size) { return fallocate(fd, 1, 0, size); }
// FALLOC_FL_PUNCH_HOLE with FALLOC_FL_KEEP_SIZE.
static inline int tu_punch(int fd, off_t offset, off_t size) { return fallocate(fd, 3, offset, size); }

// ioctl(2) with FICLONERANGE and its argument, ioctl_ficlonerange(2), which the headers of some C libraries lack.
struct tu_clone_range {
  long long source;
  unsigned long long source_offset;
  unsigned long long source_length;  // 0: to the end
  unsigned long long target_offset;
};
static inline int tu_clone_file(int target, int source, unsigned long long offset) {
  struct tu_clone_range range = {source, 0, 0, offset};
  return ioctl(target, _IOW(0x94, 13, struct tu_clone_range), &range);
}

// What a child may take, in bytes and seconds of processor time.
struct tu_child_limits {
  int nice;
  unsigned long long data;
  unsigned long long cpu;
  unsigned long long file_size;
};

static inline int tu_lower_limit(int resource, unsigned long long value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value) value = limit.rlim_max;
  limit.rlim_cur = value;
  // Where both are reached at once, the kernel sends SIGKILL and not SIGXCPU, and nobody knows why.
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value) limit.rlim_max = value + (resource == RLIMIT_CPU);
  return setrlimit(resource, &limit);
}

// Closes the descriptors from `first` to `last`. Kernels before 5.9 lack close_range(2), and containers may refuse it.
static inline void tu_close_range(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  long limit = sysconf(_SC_OPEN_MAX);
  if (limit < 0 || limit > 65536) limit = 65536;
  for (unsigned end = first; end <= last && end < (unsigned)limit; end++) close((int)end);
}

// Closes all descriptors but the standard streams and `kept`, which is none of them.
static inline void tu_keep_only(int kept) {
  tu_close_range(3, (unsigned)kept - 1);
  tu_close_range((unsigned)kept + 1, ~0u);
}

// Makes a child end with its parent, which nobody else waits for, and take no more than it may; -1 with errno set.
static inline int tu_confine_child(int output, const struct tu_child_limits *limits) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || dup2(output, 2) < 0 || tu_lower_limit(RLIMIT_CORE, 0) != 0 ||
      tu_lower_limit(RLIMIT_DATA, limits->data) != 0 || tu_lower_limit(RLIMIT_CPU, limits->cpu) != 0 ||
      tu_lower_limit(RLIMIT_FSIZE, limits->file_size) != 0)
    return -1;
  return 0;
}

// Forks, and executes a program in the child, in a process group of its own; its process id, or -1 with errno set.
//
// `limits`: what it may take; it also ends with the caller then, and its standard error is `output`. NULL: it limits
// itself, may outlive the caller, and has the caller's standard error.
// `flags` and `parent`: CLONE_PARENT and the caller's parent, if that is to be the parent of the child as well; else 0
// and the caller. `failure`: 0, or why it was not executed; the child ends then.
// Between fork(2) and execve(2) only async-signal-safe functions are called.
static inline pid_t tu_launch(const char *path, char *const *arguments, char *const *environment, int output,
                              const struct tu_child_limits *limits, unsigned long flags, pid_t parent, int *failure) {
  int report[2];
  ssize_t count;
  *failure = 0;
  if (pipe2(report, O_CLOEXEC) != 0) return -1;
  pid_t child = flags == 0 ? fork() : (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    sigset_t none;
    int input = tu_open_nothing();
    sigemptyset(&none);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    if (setpgid(0, 0) != 0 || sigprocmask(SIG_SETMASK, &none, NULL) != 0 || dup2(input, 0) < 0 ||
        dup2(output, 1) < 0 || (limits != NULL && tu_confine_child(output, limits) != 0))
      *failure = errno;
    if (limits != NULL && *failure == 0 && getppid() != parent) _exit(127);
    // Ours close themselves; the program that started this one may have left others open.
    tu_keep_only(report[1]);
    if (*failure == 0) {
      if (limits != NULL) {
        (void)nice(limits->nice);
        // Survives execve(2): it ends a program that idles while nobody looks at it.
        if (limits->cpu > 0 && limits->cpu < 1u << 30) alarm((unsigned)limits->cpu);
      }
      execve(path, arguments, environment);
      *failure = errno;
    }
    while (write(report[1], failure, sizeof *failure) < 0 && errno == EINTR) {}
    _exit(127);
  }
  int refused = errno;
  close(report[1]);
  if (child > 0) {
    (void)setpgid(child, child);  // whichever of the two comes first
    while ((count = read(report[0], failure, sizeof *failure)) < 0 && errno == EINTR) {}
    if (count != (ssize_t)sizeof *failure) *failure = 0;
  }
  close(report[0]);
  errno = refused;
  return child;
}

// Starts a program that is nobody's child, so that nobody has to wait for it, and whose standard error nobody sees; 0, or
// -1 with errno set, also when it is execve(2) that fails.
static inline int tu_start_unattended(const char *path, char *const *arguments, char *const *environment, int output) {
  int failure, status;
  pid_t child = fork();
  if (child == 0) {
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, 2) < 0) _exit(errno);
    pid_t program = tu_launch(path, arguments, environment, output, NULL, 0, 0, &failure);
    _exit(program < 0 ? errno : failure);
  }
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 0;  // this process has the kernel forget its children
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
  return errno == 0 ? 0 : -1;
}

// The process id of a program that was executed, or -1 with errno set.
static inline pid_t tu_executed(pid_t child, int failure) {
  if (child < 0 || failure == 0) return child;
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  errno = failure;
  return -1;
}

// Starts a program and returns its process id, or -1 with errno set, also when it is execve(2) that fails.
static inline pid_t tu_start_child(const char *path, char *const *arguments, char *const *environment, int output,
                                   const struct tu_child_limits *limits) {
  int failure;
  pid_t child = tu_launch(path, arguments, environment, output, limits, 0, getpid(), &failure);
  return tu_executed(child, failure);
}

// The parts of a status of waitpid(2) are macros.
static inline int tu_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
static inline int tu_end_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
static inline const char *tu_signal_name(int number) { return strsignal(number); }

// The environment that this process was started with.
extern char **environ;
static inline char **tu_environment(void) { return environ; }

// What a process gives up before it reads anything from outside (docs/decisions/0028): Landlock and seccomp(2), of
// which libc has no functions. The constants of Landlock are those of <linux/landlock.h>, which may be older.
#pragma once
#include "shim.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// MARK: Landlock

enum {
  TU_EXECUTE = 1 << 0,
  TU_WRITE_FILE = 1 << 1,
  TU_READ_FILE = 1 << 2,
  TU_READ_DIR = 1 << 3,
  TU_REMOVE_DIR = 1 << 4,
  TU_REMOVE_FILE = 1 << 5,
  TU_MAKE_DIR = 1 << 7,
  TU_MAKE_REG = 1 << 8,
  TU_MAKE_SYM = 1 << 12,
  TU_REFER = 1 << 13,
  TU_TRUNCATE = 1 << 14,
  TU_IOCTL_DEV = 1 << 15,
};
// The rights that a file can have which is not a directory.
#define TU_FILE_RIGHTS (TU_EXECUTE | TU_WRITE_FILE | TU_READ_FILE | TU_TRUNCATE | TU_IOCTL_DEV)

// System calls that are younger than libc's headers have the same numbers everywhere.
#define TU_LANDLOCK_CREATE_RULESET 444
#define TU_LANDLOCK_ADD_RULE 445
#define TU_LANDLOCK_RESTRICT_SELF 446

static inline long tu_landlock_version(void) { return syscall(TU_LANDLOCK_CREATE_RULESET, NULL, 0, 1); }

// The rights that this kernel can take away; 0 if it has no Landlock. The first version of Landlock forbids to rename
// between directories, which every update does, so that it counts as none.
static inline unsigned tu_landlock_rights(void) {
  long version = tu_landlock_version();
  if (version < 2) return 0;
  return (1u << (version < 3 ? 14 : version < 5 ? 15 : 16)) - 1;
}

// A rule set that takes `rights` away, as a descriptor; -1 with errno set. From its sixth version on, Landlock also keeps
// signals and abstract Unix sockets within the process.
static inline int tu_landlock_create(unsigned rights) {
  struct {
    uint64_t files, network, scoped;
  } handled = {rights, 0, 3};
  size_t size = tu_landlock_version() < 6 ? sizeof handled.files : sizeof handled;
  return (int)syscall(TU_LANDLOCK_CREATE_RULESET, &handled, size, 0);
}

// Leaves `rights` to what is at `path`, and below it: 1; 0 if there is nothing, or nothing that Landlock is about, such
// as a pipe; -1 with errno set.
static inline int tu_landlock_allow(int rules, const char *path, unsigned rights) {
  struct {
    uint64_t rights;
    int32_t parent;
  } __attribute__((packed)) rule;
  struct stat status;
  long result;
  int place = open(path, 010000000 | O_CLOEXEC);  // O_PATH, which needs _GNU_SOURCE
  if (place < 0 || fstat(place, &status) != 0) return 0;
  rule.rights = S_ISDIR(status.st_mode) ? rights : rights & TU_FILE_RIGHTS;
  rule.parent = place;
  result = syscall(TU_LANDLOCK_ADD_RULE, rules, 1, &rule, 0);
  if (result != 0) result = errno == EBADFD ? 0 : -1;
  else result = 1;
  close(place);
  return (int)result;
}

static inline int tu_landlock_restrict(int rules) { return (int)syscall(TU_LANDLOCK_RESTRICT_SELF, rules, 0); }

// MARK: Privileges

// The program is complete when it starts: glibc loads parts of itself, such as those that ask name servers, when they
// are wanted, and nobody can say from where.
static inline int tu_is_complete(void) {
#ifdef __GLIBC__
  return 0;
#else
  return 1;
#endif
}

// This process and those that it starts can gain no privileges; 0, or -1 with errno set.
static inline int tu_forgo_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// MARK: System calls

#if defined(__x86_64__)
#define TU_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define TU_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define TU_ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define TU_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#define TU_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define TU_RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define TU_REFUSE(error) TU_RETURN(SECCOMP_RET_ERRNO | (error))
// Goes `yes` or `no` instructions further.
#define TU_IF(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), yes, no)
#define TU_ALLOW(call) TU_IF(__NR_##call, 0, 1), TU_RETURN(SECCOMP_RET_ALLOW)
// The low halves of arguments: all targets are little-endian.
#define TU_ARGUMENT(number) TU_LOAD(args[number])
// Goes `yes` instructions further if any of these bits is set, else `no`.
#define TU_HAS(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
// No memory becomes executable.
#define TU_ALLOW_MEMORY(call)                                                     \
  TU_IF(__NR_##call, 0, 4), TU_ARGUMENT(2), TU_HAS(PROT_EXEC, 0, 1), TU_REFUSE(EACCES), \
      TU_RETURN(SECCOMP_RET_ALLOW)
// Nothing that is made gains the rights of its owner or group (set-user-ID, set-group-ID).
#define TU_ALLOW_MODE(call, mode) \
  TU_IF(__NR_##call, 0, 4), TU_ARGUMENT(mode), TU_HAS(06000, 1, 0), TU_RETURN(SECCOMP_RET_ALLOW), TU_REFUSE(EPERM)
// The same, and nothing is emptied that is opened for reading, of which the versions of Landlock before the third know
// nothing.
#define TU_ALLOW_OPEN(call, flags, mode)                                                                \
  TU_IF(__NR_##call, 0, 8), TU_ARGUMENT(mode), TU_HAS(06000, 5, 0), TU_ARGUMENT(flags), TU_HAS(O_TRUNC, 0, 2), \
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 3), TU_IF(O_RDONLY, 1, 0), TU_RETURN(SECCOMP_RET_ALLOW), TU_REFUSE(EPERM)
// Its first argument is this process, or 0 where that is the same.
#define TU_ALLOW_OWN(call) \
  TU_IF(__NR_##call, 0, 4), TU_ARGUMENT(0), TU_IF(own, 0, 1), TU_RETURN(SECCOMP_RET_ALLOW), TU_REFUSE(EPERM)
#define TU_ALLOW_OWN_OR_0(call)                                                                      \
  TU_IF(__NR_##call, 0, 5), TU_ARGUMENT(0), TU_IF(0, 1, 0), TU_IF(own, 0, 1), TU_RETURN(SECCOMP_RET_ALLOW), \
      TU_REFUSE(EPERM)
// Not F_SETOWN and the like, by which the kernel sends signals to others: only up to F_SETFL, and F_DUPFD_CLOEXEC.
#define TU_ALLOW_FCNTL(call)                                                                              \
  TU_IF(__NR_##call, 0, 5), TU_ARGUMENT(1), BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_SETFL, 0, 1), TU_IF(1030, 0, 1), \
      TU_RETURN(SECCOMP_RET_ALLOW), TU_REFUSE(EINVAL)
// What musl's pthread_create passes to clone(2): a thread, which is confined as its process is.
#define TU_THREAD 0x7d0f00
#define TU_ALLOW_THREADS \
  TU_IF(__NR_clone, 0, 4), TU_ARGUMENT(0), TU_IF(TU_THREAD, 0, 1), TU_RETURN(SECCOMP_RET_ALLOW), TU_REFUSE(ENOSYS)

// From now on, this process has no system calls but those that an update makes, in libc, libcurl and OpenSSL as well;
// 0, or -1 with errno set. All others fail as on a kernel that does not have them, so that a library that can do
// without one goes on.
static inline int tu_limit_system_calls(void) {
#ifdef TU_ARCHITECTURE
  unsigned own = (unsigned)getpid();
  struct sock_filter filter[] = {
      TU_LOAD(arch), TU_IF(TU_ARCHITECTURE, 1, 0), TU_REFUSE(ENOSYS), TU_LOAD(nr),
#include "system-calls.h"
      TU_REFUSE(ENOSYS),
  };
  struct sock_fprog program;
  program.len = sizeof filter / sizeof *filter;
  program.filter = filter;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

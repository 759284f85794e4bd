// The system calls that are left to a confined process: instructions of confinement.h. A new one belongs here as soon as
// the program makes it; `strace -c` of the end-to-end tests shows which. Not among them, for example: execve, fork,
// ptrace, mount, setuid, chmod and truncate by path, fchmod, chown, unshare, io_uring, bpf.

      // The most frequent ones first: a call is compared with one after the other.
      TU_ALLOW(pread64), TU_ALLOW(pwrite64), TU_ALLOW(read), TU_ALLOW(write), TU_ALLOW(lseek), TU_ALLOW(fstat),
      TU_ALLOW(recvfrom), TU_ALLOW(sendto), TU_ALLOW(rt_sigaction), TU_ALLOW(rt_sigprocmask),

      // Files.
      TU_ALLOW(readv), TU_ALLOW(writev), TU_ALLOW(preadv), TU_ALLOW(pwritev), TU_ALLOW(close), TU_ALLOW_FCNTL(fcntl),
      TU_ALLOW(dup), TU_ALLOW(dup3), TU_ALLOW(pipe2), TU_ALLOW_OPEN(openat, 2, 3), TU_ALLOW(statx),
      TU_ALLOW(faccessat), TU_ALLOW(faccessat2), TU_ALLOW(readlinkat), TU_ALLOW(getdents64), TU_ALLOW_MODE(mkdirat, 2),
      TU_ALLOW(unlinkat), TU_ALLOW(renameat2), TU_ALLOW(linkat), TU_ALLOW(symlinkat), TU_ALLOW(ftruncate),
      TU_ALLOW(fallocate), TU_ALLOW(fsync), TU_ALLOW(fdatasync), TU_ALLOW(syncfs), TU_ALLOW(statfs), TU_ALLOW(fstatfs),
      TU_ALLOW(flock), TU_ALLOW(copy_file_range), TU_ALLOW(inotify_init1), TU_ALLOW(inotify_add_watch),
      // Asking for the size of a terminal, whether it is one, and for sockets.
      TU_IF(__NR_ioctl, 0, 7), TU_ARGUMENT(1), TU_IF(TIOCGWINSZ, 4, 0), TU_IF(TCGETS, 3, 0), TU_IF(FIONBIO, 2, 0),
      TU_IF(FIONREAD, 1, 0), TU_REFUSE(ENOTTY), TU_RETURN(SECCOMP_RET_ALLOW),

      // Memory, of which none becomes executable.
      TU_ALLOW(brk), TU_ALLOW(munmap), TU_ALLOW(mremap), TU_ALLOW(madvise),
      TU_ALLOW_MEMORY(mprotect),

      // The network: TCP and UDP; not packets, netlink, Unix sockets or other protocols.
      TU_IF(__NR_socket, 0, 9), TU_ARGUMENT(0), TU_IF(AF_INET, 1, 0), TU_IF(AF_INET6, 0, 5), TU_ARGUMENT(1),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 15), TU_IF(SOCK_STREAM, 1, 0), TU_IF(SOCK_DGRAM, 0, 1),
      TU_RETURN(SECCOMP_RET_ALLOW), TU_REFUSE(EAFNOSUPPORT),
      TU_ALLOW(connect), TU_ALLOW(bind), TU_ALLOW(getsockname), TU_ALLOW(getpeername), TU_ALLOW(getsockopt),
      TU_ALLOW(setsockopt), TU_ALLOW(sendmsg), TU_ALLOW(recvmsg), TU_ALLOW(sendmmsg), TU_ALLOW(recvmmsg),
      TU_ALLOW(shutdown), TU_ALLOW(accept4), TU_ALLOW(ppoll), TU_ALLOW(pselect6), TU_ALLOW(eventfd2),

      // Time, and the process itself.
      TU_ALLOW(nanosleep), TU_ALLOW(getrandom), TU_ALLOW(futex), TU_ALLOW(sched_yield), TU_ALLOW(getpid),
      TU_ALLOW(gettid), TU_ALLOW(getppid), TU_ALLOW(getuid), TU_ALLOW(geteuid), TU_ALLOW(getgid), TU_ALLOW(getegid),
      // To make files as the owner of their directory; root may do everything that another user may.
      TU_ALLOW(setfsuid), TU_ALLOW(setfsgid),
      TU_ALLOW(getrusage), TU_ALLOW_OWN_OR_0(prlimit64), TU_ALLOW(sysinfo), TU_ALLOW(uname), TU_ALLOW(times),
      TU_ALLOW_OWN(kill), TU_ALLOW_OWN(tgkill), TU_ALLOW(wait4), TU_ALLOW(waitid), TU_ALLOW(rt_sigreturn),
      TU_ALLOW(restart_syscall), TU_ALLOW(sigaltstack), TU_ALLOW(exit), TU_ALLOW(exit_group), TU_ALLOW_THREADS,

// The older forms of these, and those for wide numbers, where an architecture has them.
#ifndef __arm__
      TU_ALLOW(newfstatat), TU_ALLOW(fadvise64), TU_ALLOW(clock_gettime), TU_ALLOW(clock_getres),
      TU_ALLOW(clock_nanosleep), TU_ALLOW(gettimeofday),
      TU_ALLOW_MEMORY(mmap),
#endif
#ifndef __riscv
      TU_ALLOW(renameat),
#endif
#if defined(__x86_64__) || defined(__arm__)
      TU_ALLOW_OPEN(open, 1, 2), TU_ALLOW(stat), TU_ALLOW(lstat), TU_ALLOW(access), TU_ALLOW(readlink),
      TU_ALLOW(getdents), TU_ALLOW_MODE(mkdir, 1), TU_ALLOW(rmdir), TU_ALLOW(unlink), TU_ALLOW(rename), TU_ALLOW(link),
      TU_ALLOW(symlink), TU_ALLOW(dup2), TU_ALLOW(pipe), TU_ALLOW(poll),
#endif
#ifdef __x86_64__
      TU_ALLOW(select), TU_ALLOW(time), TU_ALLOW(getrlimit), TU_ALLOW(alarm),
#endif
#ifdef __arm__
      TU_ALLOW(clock_gettime32), TU_ALLOW(clock_getres_time32), TU_ALLOW(clock_nanosleep_time32),
      TU_ALLOW(gettimeofday_time32), TU_ALLOW(stat64), TU_ALLOW(lstat64), TU_ALLOW(fstat64), TU_ALLOW(fstatat64),
      TU_ALLOW_FCNTL(fcntl64), TU_ALLOW(_llseek), TU_ALLOW(ftruncate64), TU_ALLOW(statfs64), TU_ALLOW(fstatfs64),
      TU_ALLOW(arm_fadvise64_64), TU_ALLOW(ugetrlimit), TU_ALLOW(getuid32), TU_ALLOW(geteuid32),
      TU_ALLOW(getgid32), TU_ALLOW(getegid32), TU_ALLOW(setfsuid32), TU_ALLOW(setfsgid32), TU_ALLOW(_newselect),
      TU_ALLOW(send), TU_ALLOW(recv), TU_ALLOW(sigreturn), TU_ALLOW(clock_gettime64), TU_ALLOW(clock_getres_time64), TU_ALLOW(clock_nanosleep_time64),
      TU_ALLOW(futex_time64), TU_ALLOW(ppoll_time64), TU_ALLOW(pselect6_time64), TU_ALLOW(recvmmsg_time64),
      TU_ALLOW_MEMORY(mmap2),
#endif

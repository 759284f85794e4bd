// A second process that starts one program, again and again, and ends it, for a process that may start and signal none any
// more: it is forked before that one is confined. It trusts nothing of what it is asked.
#pragma once
#include "shim.h"
#include "sockets.h"
#include <linux/sched.h>

// What may be started: the program, and the beginning of each of its arguments and of each variable that is set for it.
struct tu_startable {
  const char *path;
  const char *argument;
  const char *variable;
};

#define TU_START_TEXTS 16
#define TU_START_BYTES 32768

// A request: with a signal, for the program that was started last; else a start, and the texts follow, each with its NUL:
// the arguments after the path, then variables of the environment.
struct tu_start_request {
  int signal;
  struct tu_child_limits limits;
  unsigned arguments;
  unsigned variables;
  unsigned bytes;
};

struct tu_start_reply {
  pid_t child;
  int error;    // of fork(2), if there is no child, or of kill(2)
  int failure;  // of execve(2)
};

// 0 once all bytes were read or sent, else -1.
static inline int tu_read_all(int fd, void *bytes, size_t count) {
  for (char *next = (char *)bytes; count > 0;) {
    ssize_t done = read(fd, next, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return -1;
    next += done;
    count -= (size_t)done;
  }
  return 0;
}
static inline int tu_send_all(int fd, const void *bytes, size_t count) {
  for (const char *next = (const char *)bytes; count > 0;) {
    ssize_t done = send(fd, next, count, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return -1;
    next += done;
    count -= (size_t)done;
  }
  return 0;
}

// Receives a request without its texts, and the descriptor of the output, or -1 where there is none; 0 if there is a
// request.
static inline int tu_receive_request(int socket, struct tu_start_request *request, int *output) {
  return tu_receive_message(socket, request, sizeof *request, output) == (ssize_t)sizeof *request ? 0 : -1;
}

// Splits the texts of a request; 0 if they are as many as it says, and begin as they have to.
static inline int tu_split_texts(const struct tu_start_request *request, char *texts, const struct tu_startable *only,
                                 char **split) {
  char *end = texts + request->bytes;
  *end = 0;
  for (unsigned number = 0; number < request->arguments + request->variables; number++) {
    const char *beginning = number < request->arguments ? only->argument : only->variable;
    size_t length = strlen(beginning);
    if (texts >= end || strncmp(texts, beginning, length) != 0 || strncmp(texts + length, "../", 3) == 0 ||
        strstr(texts + length, "/../") != NULL)
      return -1;
    split[number] = texts;
    texts += strlen(texts) + 1;
  }
  return 0;
}

// This process's environment, with `count` variables in the place of those with the same names; NULL without memory.
static inline char **tu_environment_with(char *const *variables, unsigned count) {
  size_t own = 0;
  while (environ[own] != NULL) own++;
  char **merged = (char **)calloc(own + count + 1, sizeof *merged);
  char **next = merged;
  if (merged == NULL) return NULL;
  for (unsigned number = 0; number < count; number++) *next++ = variables[number];
  for (size_t number = 0; number < own; number++) {
    size_t name = strcspn(environ[number], "=") + 1;
    int replaced = 0;
    for (unsigned other = 0; other < count; other++) replaced |= strncmp(environ[number], variables[other], name) == 0;
    if (!replaced) *next++ = environ[number];
  }
  return merged;
}

// The program that was started last. While it or its status is there, nobody else has its number, nor its group.
struct tu_started {
  pid_t id;
  int handle;  // pidfd_open(2), from Linux 5.3 on; else -1
};

// Starts what `request` says; 0, or -1 if that is not what may be started.
static inline int tu_answer_start(int socket, const struct tu_startable *only, pid_t parent,
                                  struct tu_start_request *request, int output, struct tu_started *last,
                                  struct tu_start_reply *reply) {
  static char texts[TU_START_BYTES + 1];
  char *split[TU_START_TEXTS * 2];
  char *arguments[TU_START_TEXTS + 2] = {(char *)only->path};
  if (output < 0 || request->bytes > TU_START_BYTES || request->arguments > TU_START_TEXTS ||
      request->variables > TU_START_TEXTS || tu_read_all(socket, texts, request->bytes) != 0 ||
      tu_split_texts(request, texts, only, split) != 0)
    return -1;
  memcpy(arguments + 1, split, request->arguments * sizeof *split);
  char **variables = tu_environment_with(split + request->arguments, request->variables);
  if (variables == NULL) return -1;
  if (request->limits.nice < 0) request->limits.nice = 0;
  reply->child =
      tu_launch(only->path, arguments, variables, output, &request->limits, CLONE_PARENT, parent, &reply->failure);
  reply->error = errno;
  close(output);
  free(variables);
  if (last->handle >= 0) close(last->handle);
  last->id = reply->child;
  // System calls that are younger than libc's headers have the same numbers everywhere.
  last->handle = reply->child > 0 ? (int)syscall(434, reply->child, 0) : -1;
  return 0;
}

// Sends a signal to the group of the program that was started last; 0, or -1 if it is another signal than to end.
static inline int tu_answer_signal(int number, const struct tu_started *last, struct tu_start_reply *reply) {
  if (number != SIGTERM && number != SIGKILL) return -1;
  reply->child = last->id;
  reply->failure = 0;
  int result = last->id <= 0 || (last->handle >= 0 && syscall(424, last->handle, 0, NULL, 0) != 0)
                   ? (errno = ESRCH, -1)
                   : kill(-last->id, number);
  reply->error = result == 0 ? 0 : errno;
  return 0;
}

// Starts and ends `only` as often as it is asked to, until the other end of `socket` is closed, or asks for anything else.
// The programs are children of `parent`, this process's own.
static inline void tu_serve_starts(int socket, const struct tu_startable *only, pid_t parent) {
  struct tu_start_request request;
  struct tu_started last = {0, -1};
  int output;
  while (tu_receive_request(socket, &request, &output) == 0) {
    struct tu_start_reply reply;
    int answered = request.signal != 0
                       ? tu_answer_signal(request.signal, &last, &reply)
                       : tu_answer_start(socket, only, parent, &request, output, &last, &reply);
    if (answered != 0 || tu_send_all(socket, &reply, sizeof reply) != 0) return;
  }
}

// Forks the process that starts `only`, which ends with this one; the socket to it, or -1 with errno set.
static inline int tu_fork_starter(const struct tu_startable *only) {
  int ends[2];
  pid_t parent = getpid();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  pid_t starter = fork();
  if (starter == 0) {
    // It keeps nothing of what this process has: no lock, no stream that someone reads to its end.
    int nothing = tu_open_nothing();
    for (int stream = 0; stream < 3; stream++) (void)dup2(nothing, stream);
    tu_keep_only(ends[1]);
    // Its parent decides when it ends, whatever is typed at a terminal.
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) tu_serve_starts(ends[1], only, parent);
    _exit(0);
  }
  close(ends[1]);
  if (starter > 0) return ends[0];
  close(ends[0]);
  return -1;
}

// Has the process at the other end of `socket` start its program, as a child of this one; its process id, or -1 with
// errno set. `texts`: what the request announces.
static inline pid_t tu_ask_starter(int socket, const struct tu_start_request *request, const char *texts, int output) {
  struct tu_start_reply reply;
  if (tu_send_message(socket, request, sizeof *request, output) != 0) return -1;
  if (tu_send_all(socket, texts, request->bytes) != 0 || tu_read_all(socket, &reply, sizeof reply) != 0) {
    errno = EPIPE;
    return -1;
  }
  errno = reply.error;
  return tu_executed(reply.child, reply.failure);
}

// Has it send SIGTERM or SIGKILL to the group of the program that it started last; 0, or -1 with errno set.
static inline int tu_ask_to_signal(int socket, int number) {
  struct tu_start_request request;
  struct tu_start_reply reply;
  memset(&request, 0, sizeof request);
  request.signal = number;
  if (tu_send_all(socket, &request, sizeof request) != 0 || tu_read_all(socket, &reply, sizeof reply) != 0) {
    errno = EPIPE;
    return -1;
  }
  errno = reply.error;
  return reply.error == 0 ? 0 : -1;
}

// 1 if a child has ended, 0 if it runs, -1 with errno set; its status stays, and so does its number.
static inline int tu_has_ended(pid_t child) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return -1;
  return info.si_pid == child;
}

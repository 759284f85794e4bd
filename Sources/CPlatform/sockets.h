// Sockets of this machine (unix(7)).
#ifndef TINYUPDATER_SOCKETS_H
#define TINYUPDATER_SOCKETS_H

#include "shim.h"
#include <grp.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

// The address of a path; 0 if it is too long for one.
static inline socklen_t tu_local_address(const char *path, struct sockaddr_un *address) {
  size_t length = strlen(path);
  if (length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length + 1);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

static inline int tu_local_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

// Connects to the socket at `path`; its descriptor, or -1 with errno set.
static inline int tu_connect(const char *path) {
  struct sockaddr_un address;
  socklen_t size = tu_local_address(path, &address);
  int client = size == 0 ? -1 : tu_local_socket();
  if (client >= 0 && connect(client, (struct sockaddr *)&address, size) != 0) {
    int refused = errno;
    close(client);
    errno = refused;
    return -1;
  }
  return client;
}

// Makes a socket at `path` that everybody may connect to; its descriptor, or -1 with errno set.
//
// One that is left over, to which nobody listens any more, is replaced; EADDRINUSE if somebody does.
static inline int tu_listen(const char *path) {
  struct sockaddr_un address;
  struct stat status;
  socklen_t size = tu_local_address(path, &address);
  int server = size == 0 ? -1 : tu_local_socket();
  if (server < 0) return -1;
  int client = tu_connect(path);
  if (client >= 0) {
    close(client);
    close(server);
    errno = EADDRINUSE;
    return -1;
  }
  if (errno == ECONNREFUSED && lstat(path, &status) == 0 && S_ISSOCK(status.st_mode)) (void)unlink(path);
  if (bind(server, (struct sockaddr *)&address, size) != 0 || chmod(path, 0666) != 0 || listen(server, 16) != 0) {
    int refused = errno;
    close(server);
    errno = refused;
    return -1;
  }
  return server;
}

// The descriptor is a socket that listens.
static inline int tu_is_listening(int descriptor) {
  int is_listening = 0;
  socklen_t size = sizeof is_listening;
  return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) == 0 && is_listening;
}

// Nothing that is done with the descriptor waits, and no program that is executed has it.
static inline void tu_keep_to_itself(int descriptor) {
  (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  (void)fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

static inline int tu_accept(int server) { return accept4(server, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

// Sends without a signal if nobody receives any more.
static inline ssize_t tu_send(int descriptor, const void *bytes, size_t count) {
  return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Two ends of a connection whose messages stay whole; 0, or -1 with errno set.
static inline int tu_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

// A control message with one descriptor.
union tu_attached_descriptor {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
};

// Sends one message, with a descriptor unless that is negative; 0, or -1 with errno set. It may wait; a stream takes a
// message of a few bytes as a whole, too.
static inline int tu_send_message(int socket, const void *bytes, size_t count, int attached) {
  union tu_attached_descriptor control;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message;
  ssize_t sent;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (attached >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof attached);
    memcpy(CMSG_DATA(head), &attached, sizeof attached);
  }
  while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return sent == (ssize_t)count ? 0 : -1;
}

// Waits for one message, and returns its bytes; 0 at the end, and for one that is longer than `room`; -1 with errno set.
// `attached`: its descriptor, or -1; of several, the kernel closes the others.
static inline ssize_t tu_receive_message(int socket, void *bytes, size_t room, int *attached) {
  union tu_attached_descriptor control;
  struct iovec part = {bytes, room};
  struct msghdr message;
  ssize_t count;
  *attached = -1;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  // CMSG_SPACE has room for two on machines of 64 bits.
  message.msg_controllen = CMSG_LEN(sizeof *attached);
  while ((count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  if (count < 0) return -1;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (head != NULL && head->cmsg_type == SCM_RIGHTS) memcpy(attached, CMSG_DATA(head), sizeof *attached);
  return (message.msg_flags & MSG_TRUNC) != 0 ? 0 : count;
}

// Forks a process that ends with this one.
static inline pid_t tu_fork_beside(void) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)) _exit(0);
  return child;
}

// Descriptors of which some can be read (epoll(7)).
static inline int tu_set_make(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int tu_set_add(int set, int descriptor, uint64_t number) {
  struct epoll_event event;
  event.events = EPOLLIN;
  event.data.u64 = number;
  return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}
// 1 with the number of one that can be read now, else 0.
static inline int tu_set_next(int set, uint64_t *number) {
  struct epoll_event event;
  if (epoll_wait(set, &event, 1, 0) != 1) return 0;
  *number = event.data.u64;
  return 1;
}

// Who has connected: `struct ucred`, which headers keep for GNU programs.
struct tu_credentials {
  pid_t process;
  uid_t user;
  gid_t group;
};

static inline int tu_peer(int client, struct tu_credentials *peer) {
  socklen_t size = sizeof *peer;
  return getsockopt(client, SOL_SOCKET, SO_PEERCRED, peer, &size);
}

// Fills `groups` with the supplementary groups of the process that has connected; their number, or -1.
static inline int tu_peer_groups(int client, gid_t *groups, int most) {
  socklen_t size = (socklen_t)((size_t)most * sizeof *groups);
  if (getsockopt(client, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0) return -1;
  return (int)(size / sizeof *groups);
}

// The number of a group; -1 if there is none of that name.
static inline long tu_group(const char *name) {
  struct group *group = getgrnam(name);
  return group == NULL ? -1 : (long)group->gr_gid;
}

#endif

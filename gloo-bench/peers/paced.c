/*
 * Paces every TCP connection of a process, as networks do that limit a connection and not a host.
 * For LD_PRELOAD; PACED_BYTES_PER_SECOND is the rate of one connection, each way. The kernel does
 * it (SO_MAX_PACING_RATE).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static void pace(int fd) {
  const char *text = getenv("PACED_BYTES_PER_SECOND");
  unsigned long rate = text ? strtoul(text, NULL, 10) : 0;
  if (rate > 0 && setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate) != 0) {
    perror("paced: SO_MAX_PACING_RATE");
    abort();
  }
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  static int (*next)(int, const struct sockaddr *, socklen_t);
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "connect");
  if (address->sa_family != AF_UNIX) pace(fd);
  return next(fd, address, length);
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  static int (*next)(int, struct sockaddr *, socklen_t *, int);
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "accept4");
  int accepted = next(fd, address, length, flags);
  if (accepted >= 0) pace(accepted);
  return accepted;
}

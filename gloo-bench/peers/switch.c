/*
 * A network of hosts that are namespaces of this machine: a switch, and for each host a link with a
 * rate and a delay, both ways. For kernels without netem, whose tbf limits the rate alone.
 *
 *   switch BYTES_PER_SECOND DELAY_US NAMESPACE...
 *
 * makes the interface eth0 of each namespace (ip netns) and then prints a line. The host with the
 * address a.b.c.(i + 1) is the i-th one. A packet occupies the link of its sender, then that of its
 * receiver, and arrives after the delay; it may leave the switch while it still comes in. Nothing
 * is dropped. It is scheduled before all other processes, which may be more than the processors:
 * else their time would be part of the delay. Ends with a signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { HOSTS = 128, BATCH = 16, IPV4_BYTES = 20, LAST_BYTE_OF_TARGET = 19 };

typedef struct packet {
  struct packet *next;
  double due;
  ssize_t bytes;
  char data[];
} packet;

typedef struct {
  int tun;
  double out_free, in_free; /* seconds, when the links are next idle */
  packet *first, **last;    /* on their way to this host, in the order of arrival */
} host;

static host hosts[HOSTS];
static int count;
static double per_byte, delay;

static void fail(const char *what) {
  perror(what);
  exit(3);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int tun_in(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "/var/run/netns/%s", name);
  int space = open(path, O_RDONLY | O_CLOEXEC);
  if (space < 0 || setns(space, CLONE_NEWNET) != 0) fail(path);
  close(space);
  int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
  strcpy(request.ifr_name, "eth0");
  if (tun < 0 || ioctl(tun, TUNSETIFF, &request) != 0) fail("/dev/net/tun");
  return tun;
}

static double max(double a, double b) { return a > b ? a : b; }

/* Whether there was a packet. */
static int take(host *from) {
  static char data[65536];
  ssize_t bytes = read(from->tun, data, sizeof data);
  if (bytes < 0 && errno == EAGAIN) return 0;
  if (bytes < 0) fail("read");
  int to = (unsigned char)data[LAST_BYTE_OF_TARGET] - 1;
  if (bytes < IPV4_BYTES || data[0] >> 4 != 4 || to < 0 || to >= count) return 1;
  host *target = &hosts[to];
  double began = max(now(), from->out_free);
  from->out_free = began + bytes * per_byte;
  target->in_free = max(began, target->in_free) + bytes * per_byte;
  packet *it = malloc(sizeof *it + bytes);
  if (it == NULL) fail("malloc");
  *it = (packet){.due = target->in_free + delay, .bytes = bytes};
  memcpy(it->data, data, bytes);
  *target->last = it;
  target->last = &it->next;
  return 1;
}

/* Hands over what has arrived; returns when the next one will. */
static double deliver(host *to, double time) {
  while (to->first != NULL && to->first->due <= time) {
    packet *it = to->first;
    if (write(to->tun, it->data, it->bytes) != it->bytes) perror("switch: write");
    to->first = it->next;
    if (to->first == NULL) to->last = &to->first;
    free(it);
  }
  return to->first == NULL ? 1e18 : to->first->due;
}

int main(int argc, char **argv) {
  count = argc - 3;
  if (count < 1 || count > HOSTS) {
    fprintf(stderr, "usage: switch BYTES_PER_SECOND DELAY_US NAMESPACE... (at most %d)\n", HOSTS);
    return 2;
  }
  per_byte = 1 / atof(argv[1]);
  delay = atof(argv[2]) / 1e6;
  int poll = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < count; i++) {
    hosts[i] = (host){.tun = tun_in(argv[i + 3])};
    hosts[i].last = &hosts[i].first;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, hosts[i].tun, &event) != 0) fail("epoll_ctl");
  }
  struct sched_param first = {.sched_priority = 20};
  if (sched_setscheduler(0, SCHED_RR, &first) != 0) perror("switch: SCHED_RR");
  puts("ready");
  fflush(stdout);
  for (;;) {
    double time = now(), next = 1e18;
    for (int i = 0; i < count; i++) {
      double due = deliver(&hosts[i], time);
      if (due < next) next = due;
    }
    double wait = max(0, next - now());
    struct timespec limit = {.tv_sec = (time_t)wait, .tv_nsec = (wait - (time_t)wait) * 1e9};
    struct epoll_event events[HOSTS];
    int ready = epoll_pwait2(poll, events, HOSTS, next > 1e17 ? NULL : &limit, NULL);
    if (ready < 0 && errno != EINTR) fail("epoll_pwait2");
    for (int i = 0; i < ready; i++) {
      for (int n = 0; n < BATCH && take(&hosts[events[i].data.u32]); n++) continue;
    }
  }
}

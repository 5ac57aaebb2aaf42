/* The kernel's limit over loopback TCP, by a plain C loop of two processes:
 * limit_peer CONGESTION SECONDS BYTES...
 *
 * Prints three lines a size: "pingpong" (half a round trip, spinning recv), "oneway" and
 * "exchange" (time of one message; both directions at once in the latter). */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "timing.h"

static char *in, *out;

static int make_socket(const char *congestion) {
  int s = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (s < 0) die("socket failed");
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (strcmp(congestion, "system") &&
      setsockopt(s, IPPROTO_TCP, TCP_CONGESTION, congestion, strlen(congestion))) {
    die("this congestion control is not permitted");
  }
  return s;
}

/* Sends and receives as far as asked, both at once, without blocking. */
static void move(int s, long to_send, long to_receive) {
  long sent = 0, received = 0;
  while (sent < to_send || received < to_receive) {
    if (sent < to_send) {
      ssize_t n = send(s, out + sent, to_send - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n > 0) sent += n;
      if (n < 0 && errno != EAGAIN) die("send failed");
    }
    if (received < to_receive) {
      ssize_t n = recv(s, in + received, to_receive - received, MSG_DONTWAIT);
      if (n > 0) received += n;
      if (n == 0 || (n < 0 && errno != EAGAIN)) die("recv failed");
    }
  }
}

static void step(int s, int kind, int first, long bytes) {
  if (kind == 0) { /* pingpong */
    move(s, first ? bytes : 0, first ? 0 : bytes);
    move(s, first ? 0 : bytes, first ? bytes : 0);
  } else if (kind == 1) { /* one way, a byte back so that the time is the receiver's */
    move(s, first ? bytes : 0, first ? 0 : bytes);
    move(s, first ? 0 : 1, first ? 1 : 0);
  } else {
    move(s, bytes, bytes);
  }
}

static void measure(int s, int first, double seconds, long bytes) {
  static const char *names[] = {"pingpong", "oneway", "exchange"};
  for (int kind = 0; kind < 3; kind++) {
    int calls = warmup_calls(bytes, seconds);
    double start = now_us();
    for (int i = 0; i < calls; i++) step(s, kind, first, bytes);
    calls = clamp_calls(seconds * 1e6 / ((now_us() - start) / calls));
    memcpy(out, &calls, sizeof calls);
    move(s, first ? sizeof calls : 0, first ? 0 : sizeof calls);
    if (!first) memcpy(&calls, in, sizeof calls);
    double *us = malloc(calls * sizeof *us);
    for (int i = 0; i < calls; i++) {
      double t = now_us();
      step(s, kind, first, bytes);
      us[i] = (now_us() - t) / (kind == 0 ? 2 : 1);
    }
    if (first) print_times(names[kind], bytes, us, calls);
    free(us);
  }
}

int main(int argc, char **argv) {
  if (argc < 4) die("usage: limit_peer CONGESTION SECONDS BYTES...");
  long largest = 64;
  for (int i = 3; i < argc; i++) largest = atol(argv[i]) > largest ? atol(argv[i]) : largest;
  in = calloc(largest, 1);
  out = calloc(largest, 1);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = make_socket(argv[1]);
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1)) die("bind failed");
  getsockname(listener, (struct sockaddr *)&address, &length);
  int first = fork() != 0;
  int s;
  if (first) {
    s = accept(listener, NULL, NULL);
    int one = 1;
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  } else {
    s = make_socket(argv[1]);
    if (connect(s, (struct sockaddr *)&address, length)) die("connect failed");
  }
  for (int i = 3; i < argc; i++) measure(s, first, atof(argv[2]), atol(argv[i]));
  int status = 0;
  if (first) wait(&status);
  return status != 0;
}

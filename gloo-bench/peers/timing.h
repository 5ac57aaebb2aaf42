/* What all peers share: the clock, the choice of iterations, and the line they print.
 *
 * A line is: operation bytes iterations p50_us p99_us max_us, times of rank 0, call by call.
 * The timing rule is the one of the Java side: warm up, then as many calls as fit the time,
 * the same number on all ranks. */
#ifndef JGLOO_PEERS_TIMING_H
#define JGLOO_PEERS_TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MIN_CALLS 20
#define MAX_CALLS 20000
#define MAX_WARMUP_CALLS 500

static inline double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static inline int clamp_calls(double calls) {
  if (calls < MIN_CALLS) return MIN_CALLS;
  return calls > MAX_CALLS ? MAX_CALLS : (int)calls;
}

/* Calls to warm up with: the same on all ranks, so only a guess of the time may go in. Few, as a
 * guess may be wrong by a factor of 200 (C++ Gloo with more ranks than cores), and nothing is
 * compiled here while it runs. */
static inline int warmup_calls(long bytes, double seconds) {
  int calls = clamp_calls(seconds * 1e6 / 2 / (20 + bytes / 2000.0));
  return calls < MAX_WARMUP_CALLS ? calls : MAX_WARMUP_CALLS;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static inline void print_times(const char *operation, long bytes, double *us, int calls) {
  qsort(us, calls, sizeof *us, compare_doubles);
  printf("%s %ld %d %.3f %.3f %.3f\n", operation, bytes, calls, us[calls / 2],
         us[(int)(calls * 0.99)], us[calls - 1]);
  fflush(stdout);
}

static inline void die(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(3);
}

#endif

/* The loops a C programmer would write for a sum, left to the compiler: what our kernels are held
 * against. Prints a line per type: type and nanoseconds of one call, the least of several batches.
 *
 * usage: kernel_peer BYTES */
#include <stdint.h>
#include <string.h>

#include "timing.h"

#define BATCHES 15
#define BATCH_US 4000

typedef void loop(void *restrict target, const void *restrict source, long count);

#define SUM(name, type)                                                                  \
  static void name(void *restrict target, const void *restrict source, long count) {     \
    type *restrict t = target;                                                           \
    const type *restrict s = source;                                                     \
    for (long i = 0; i < count; i++) t[i] = (type)(t[i] + s[i]);                         \
  }

SUM(sum_int8, int8_t)
SUM(sum_uint8, uint8_t)
SUM(sum_int16, int16_t)
SUM(sum_int32, int32_t)
SUM(sum_uint32, uint32_t)
SUM(sum_int64, int64_t)
SUM(sum_uint64, uint64_t)
SUM(sum_float32, float)
SUM(sum_float64, double)
#ifdef __FLT16_MAX__
SUM(sum_float16, _Float16)
#endif

/* To nearest, ties to even; a NaN stays one. */
static inline uint16_t narrow(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  return (uint16_t)((x != x ? bits | 0x400000 : rounded) >> 16);
}

static inline float widen(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float wide;
  memcpy(&wide, &bits, sizeof wide);
  return wide;
}

static void sum_bfloat16(void *restrict target, const void *restrict source, long count) {
  uint16_t *restrict t = target;
  const uint16_t *restrict s = source;
  for (long i = 0; i < count; i++) t[i] = narrow(widen(t[i]) + widen(s[i]));
}

static void measure(const char *type, loop *sum, int width, long bytes, void *target,
                    const void *source) {
  long calls = 1;
  double best = 1e30;
  for (int batch = 0; batch < BATCHES; batch++) {
    double start = now_us();
    for (long call = 0; call < calls; call++) {
      sum(target, source, bytes / width);
      __asm__ volatile("" : : "r"(target) : "memory");
    }
    double us = (now_us() - start) / calls;
    if (us < best) best = us;
    calls = (long)(BATCH_US / (us > 0.001 ? us : 0.001)) + 1;
  }
  printf("%s %.1f\n", type, best * 1e3);
}

int main(int count, char **arguments) {
  if (count != 2) die("usage: kernel_peer BYTES");
  long bytes = atol(arguments[1]);
  void *target = aligned_alloc(64, (bytes + 63) / 64 * 64);
  void *source = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (bytes <= 0 || !target || !source) die("no such memory");
  memset(target, 0, bytes);
  memset(source, 0, bytes);
  measure("int8", sum_int8, 1, bytes, target, source);
  measure("uint8", sum_uint8, 1, bytes, target, source);
  measure("int16", sum_int16, 2, bytes, target, source);
  measure("int32", sum_int32, 4, bytes, target, source);
  measure("uint32", sum_uint32, 4, bytes, target, source);
  measure("int64", sum_int64, 8, bytes, target, source);
  measure("uint64", sum_uint64, 8, bytes, target, source);
#ifdef __FLT16_MAX__
  measure("float16", sum_float16, 2, bytes, target, source);
#endif
  measure("bfloat16", sum_bfloat16, 2, bytes, target, source);
  measure("float32", sum_float32, 4, bytes, target, source);
  measure("float64", sum_float64, 8, bytes, target, source);
  return 0;
}

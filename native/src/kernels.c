/*
 * Element arithmetic on two ranges of memory: target[i] = op(target[i], source[i]).
 *
 * Java cannot do this at the speed of memory: C2 does not vectorise a loop over raw addresses,
 * because the two ranges might overlap (8-15 GB/s against 40-140 here), and a float16 or bfloat16
 * element takes it a dozen scalar instructions.
 *
 * Every kernel is compiled once per CPU level from kernels.inc; the best level the CPU has is found
 * at run time, so one library runs everywhere. No level may give different bits than another: no
 * -ffast-math, no fused multiply-add (a sum of products is never formed), NaNs aside.
 */

#include "stream.h"
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define JGLOO_X86 1
#include <immintrin.h>
#endif

/* Codes known to NativeKernels.java as well; a change raises the VERSION in jni.c. */
enum { I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64, BOOL, TYPES };
enum { SUM, PRODUCT, MIN, MAX, BAND, BOR, BXOR, LAND, LOR, NARROW, WIDEN, SCALE, OVER, OPS };
enum { BASELINE, AVX2, AVX512, LEVELS };

typedef void (*kernel_function)(void *target, const void *source, int64_t count);

/*
 * Elements at any address: aligned(1) makes the compiler use unaligned loads, which cost nothing on
 * aligned data; may_alias because the same bytes are floats to one kernel and integers to another.
 */
#define UNALIGNED __attribute__((aligned(1), may_alias))
typedef int8_t i8 UNALIGNED;
typedef uint8_t u8 UNALIGNED;
typedef int16_t i16 UNALIGNED;
typedef uint16_t u16 UNALIGNED;
typedef int32_t i32 UNALIGNED;
typedef uint32_t u32 UNALIGNED;
typedef int64_t i64 UNALIGNED;
typedef uint64_t u64 UNALIGNED;
typedef float f32 UNALIGNED;
typedef double f64 UNALIGNED;

#define INLINE static inline __attribute__((always_inline))
#define JOIN_(name, level) name##_##level
#define JOIN(name, level) JOIN_(name, level)

#define REINTERPRET(real, bits)                                                                    \
  INLINE real real##_of(bits x) {                                                                  \
    real value;                                                                                    \
    memcpy(&value, &x, sizeof value);                                                              \
    return value;                                                                                  \
  }                                                                                                \
  INLINE bits bits_of_##real(real value) {                                                         \
    bits x;                                                                                        \
    memcpy(&x, &value, sizeof x);                                                                  \
    return x;                                                                                      \
  }
REINTERPRET(float, uint32_t)
REINTERPRET(double, uint64_t)

/*
 * Minimum and maximum of IEEE 754-2019: -0 < +0, and the canonical quiet NaN when either operand is
 * NaN. "a < b ? a : b" is one instruction, and yields b when the two are equal. Taken both ways
 * round it differs only on zeros of unlike sign, where or-ing the bits makes the -0 win, and-ing
 * the +0.
 */
#define ORDERED(name, real, bits, compare, combine, canonical)                                     \
  INLINE bits name(bits x, bits y) {                                                               \
    real a = real##_of(x), b = real##_of(y);                                                       \
    bits chosen = bits_of_##real(a compare b ? a : b) combine bits_of_##real(b compare a ? b : a); \
    return __builtin_isunordered(a, b) ? (bits)(canonical) : chosen;                               \
  }
ORDERED(min_f32, float, uint32_t, <, |, 0x7fc00000)
ORDERED(max_f32, float, uint32_t, >, &, 0x7fc00000)
ORDERED(min_f64, double, uint64_t, <, |, 0x7ff8000000000000)
ORDERED(max_f64, double, uint64_t, >, &, 0x7ff8000000000000)

/* The 16-bit types: the bits of the magnitudes are in order as integers are. */
#define ORDERED16(name, infinity, canonical, compare)                                              \
  INLINE uint16_t name(uint16_t a, uint16_t b) {                                                   \
    int16_t x = (int16_t)(a & 0x7fff), y = (int16_t)(b & 0x7fff);                                  \
    uint16_t nan = (x > (infinity)) | (y > (infinity));                                            \
    x = (int16_t)a < 0 ? (int16_t)(a ^ 0x7fff) : x;                                                \
    y = (int16_t)b < 0 ? (int16_t)(b ^ 0x7fff) : y;                                                \
    uint16_t chosen = x compare y ? a : b;                                                         \
    return nan ? (canonical) : chosen;                                                             \
  }
ORDERED16(min_f16, 0x7c00, 0x7e00, <)
ORDERED16(max_f16, 0x7c00, 0x7e00, >)
ORDERED16(min_bf16, 0x7f80, 0x7fc0, <)
ORDERED16(max_bf16, 0x7f80, 0x7fc0, >)

/*
 * bfloat16 is the upper half of a float. Rounds to nearest, ties to even, in place: the result is in
 * the upper half, the lower one is undefined. Any NaN becomes the canonical one, as in PyTorch.
 */
INLINE uint32_t bf16_round(float value) {
  uint32_t bits = bits_of_float(value);
  uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  return value != value ? 0x7fc00000 : rounded;
}

/*
 * float16 without hardware: the half's bits, moved to a float's place, are right up to a factor of
 * 2^112 (the biases differ by 112), for subnormals too; only infinity and NaN need their exponent.
 */
INLINE float f16_widen(uint16_t half) {
  float magnitude = float_of((uint32_t)(half & 0x7fff) << 13) * 0x1p112f;
  uint32_t special = (half & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
  return float_of(bits_of_float(magnitude) | special | (uint32_t)(half & 0x8000) << 16);
}

/*
 * Back, to nearest, ties to even. Below 2^-14 adding 0.5 lets the float adder round to a half's
 * 2^-24; above, a rounding carry runs into the exponent, up to infinity, just as it should.
 */
INLINE uint16_t f16_round(float value) {
  uint32_t bits = bits_of_float(value), magnitude = bits & 0x7fffffff;
  uint32_t subnormal = bits_of_float(float_of(magnitude) + 0.5f) - 0x3f000000;
  uint32_t normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  uint32_t special = magnitude > 0x7f800000 ? 0x7e00 | ((magnitude >> 13) & 0x3ff) : 0x7c00;
  uint32_t finite = magnitude < 0x38800000 ? subnormal : normal;
  return (uint16_t)((magnitude >= 0x47800000 ? special : finite) | (bits >> 16 & 0x8000));
}

/* The loops, once per level. A level only changes which instructions the compiler may use. */

#define LEVEL baseline
#define WIDTH 0
#include "kernels.inc"
#undef LEVEL
#undef WIDTH

#ifdef JGLOO_X86
#pragma GCC push_options
#pragma GCC target("avx2,f16c,prefer-vector-width=256")
#define LEVEL avx2
#define WIDTH 256
#include "kernels.inc"
#undef LEVEL
#undef WIDTH
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#define LEVEL avx512
#define WIDTH 512
#include "kernels.inc"
#undef LEVEL
#undef WIDTH
#pragma GCC pop_options
#endif

/*
 * One row per type; no entry where the combination has no meaning. NARROW and WIDEN replace the
 * target: they convert float32 to the 16-bit type of the row, and back. SCALE multiplies the target
 * by one factor at the source, OVER divides it by one that is an integer: a float64 for float64,
 * else a float32.
 */
#define INTEGER_ROW(type, sign, width, level)                                                      \
  [type] = {JOIN(sum_u##width, level),       JOIN(product_u##width, level),                        \
            JOIN(min_##sign##width, level),  JOIN(max_##sign##width, level),                       \
            JOIN(band_u##width, level),      JOIN(bor_u##width, level),                            \
            JOIN(bxor_u##width, level),      JOIN(land_u##width, level),                           \
            JOIN(lor_u##width, level),       [OVER] = JOIN(over_##sign##width, level)}
#define FLOAT_ROW(type, name, level)                                                               \
  [type] = {JOIN(sum_##name, level), JOIN(product_##name, level), JOIN(min_##name, level),         \
            JOIN(max_##name, level), [SCALE] = JOIN(scale_##name, level),                         \
            [OVER] = JOIN(over_##name, level)}
#define HALF_ROW(type, name, level)                                                                \
  [type] = {JOIN(sum_##name, level), JOIN(product_##name, level), JOIN(min_##name, level),         \
            JOIN(max_##name, level), [NARROW] = JOIN(narrow_##name, level),                        \
            [WIDEN] = JOIN(widen_##name, level), [SCALE] = JOIN(scale_##name, level),             \
            [OVER] = JOIN(over_##name, level)}
#define TABLE(level)                                                                               \
  {                                                                                                \
    INTEGER_ROW(I8, i, 8, level), INTEGER_ROW(U8, u, 8, level), INTEGER_ROW(I16, i, 16, level),    \
        INTEGER_ROW(U16, u, 16, level), INTEGER_ROW(I32, i, 32, level),                            \
        INTEGER_ROW(U32, u, 32, level), INTEGER_ROW(I64, i, 64, level),                            \
        INTEGER_ROW(U64, u, 64, level), HALF_ROW(F16, f16, level), HALF_ROW(BF16, bf16, level),    \
        FLOAT_ROW(F32, f32, level), FLOAT_ROW(F64, f64, level), [BOOL] = {                         \
      [BAND] = JOIN(land_u8, level),                                                               \
      [BOR] = JOIN(lor_u8, level),                                                                 \
      [BXOR] = JOIN(lxor_u8, level),                                                               \
      [LAND] = JOIN(land_u8, level),                                                               \
      [LOR] = JOIN(lor_u8, level)                                                                  \
    }                                                                                              \
  }

static const kernel_function kernels[LEVELS][TYPES][OPS] = {
    [BASELINE] = TABLE(baseline),
#ifdef JGLOO_X86
    [AVX2] = TABLE(avx2),
    [AVX512] = TABLE(avx512),
#endif
};

static int32_t best_level(void) {
#ifdef JGLOO_X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("f16c")) {
    return BASELINE;
  }
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
             ? AVX512
             : AVX2;
#else
  return BASELINE;
#endif
}

#define EXPORT __attribute__((visibility("default")))

/* The highest level this CPU can run: 0 baseline, 1 AVX2, 2 AVX-512. */
EXPORT int32_t jgloo_kernel_level(void);
EXPORT int32_t jgloo_kernel_level(void) { return best_level(); }

/* The handle of a kernel for jgloo_reduce, or -1 when there is none on this CPU. */
EXPORT int32_t jgloo_kernel(int32_t level, int32_t type, int32_t op);
EXPORT int32_t jgloo_kernel(int32_t level, int32_t type, int32_t op) {
  if (level < 0 || level > best_level() || type < 0 || type >= TYPES || op < 0 || op >= OPS ||
      !kernels[level][type][op]) {
    return -1;
  }
  return (level * TYPES + type) * OPS + op;
}

/*
 * Runs a kernel; handle comes from jgloo_kernel and is not checked again. One entry for all kernels
 * rather than one each: a symbol per kernel would need a hundred declarations on the Java side and
 * saves nothing, the call costs the same either way.
 */
EXPORT void jgloo_reduce(int32_t handle, int64_t target, int64_t source, int64_t count);
EXPORT void jgloo_reduce(int32_t handle, int64_t target, int64_t source, int64_t count) {
  (&kernels[0][0][0])[handle]((void *)(intptr_t)target, (const void *)(intptr_t)source, count);
}

/*
 * The same past the caches, a short block at a time: reading both ranges at once is what makes it
 * fast, and a processor does not look further ahead than about a block (one of 1 KiB took 2.4 times
 * as long).
 */
#define BLOCK 512
EXPORT void jgloo_streaming_reduce(int32_t handle, int64_t target, int64_t source, int64_t count);
EXPORT void jgloo_streaming_reduce(int32_t handle, int64_t target, int64_t source, int64_t count) {
#ifdef JGLOO_STREAMS
  static const int8_t shifts[TYPES] = {[I16] = 1, [U16] = 1, [F16] = 1, [BF16] = 1, [I32] = 2,
                                       [U32] = 2, [F32] = 2, [I64] = 3, [U64] = 3,  [F64] = 3};
  int shift = shifts[handle / OPS % TYPES];
  int64_t before = stream_before(target);
  if (count << shift >= before + BLOCK && !(before & ((1 << shift) - 1))) {
    kernel_function kernel = (&kernels[0][0][0])[handle];
    char *to = (char *)(intptr_t)target;
    const char *from = (const char *)(intptr_t)source;
    char block[BLOCK] __attribute__((aligned(STREAM_LINE)));
    kernel(to, from, before >> shift);
    int64_t at = before;
    for (; at + BLOCK <= count << shift; at += BLOCK) {
      copy_lines(block, to + at, BLOCK);
      kernel(block, from + at, BLOCK >> shift);
      stream_lines(to + at, block, BLOCK);
    }
    stream_end();
    target += at, source += at, count -= at >> shift;
  }
#endif
  jgloo_reduce(handle, target, source, count);
}

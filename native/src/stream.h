/*
 * Stores past the caches, for memory that another process reads next.
 *
 * A plain store leaves the bytes in this processor's cache, from where the reader's has to fetch
 * them line by line, and this one has to take the lines back to write there again. Between
 * processors that share no cache both take several times as long as memory. These stores go past
 * the caches, so that the reader finds the bytes in memory.
 */

#ifndef JGLOO_STREAM_H
#define JGLOO_STREAM_H

#include <stdint.h>
#include <string.h>

#define STREAM_LINE 64

#if defined(__x86_64__) && defined(__GNUC__)
#include <emmintrin.h>

/* Bytes before the first line of a range. */
static inline int64_t stream_before(int64_t target) { return -target & (STREAM_LINE - 1); }

/* Copies whole lines; the compiler's own way for some hundred bytes starts slowly (rep movs). */
static inline void copy_lines(char *target, const char *source, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 16) {
    _mm_storeu_si128((__m128i *)(target + i), _mm_loadu_si128((const __m128i *)(source + i)));
  }
}

/* The same past the caches, to where a line begins. */
static inline void stream_lines(char *target, const char *source, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 16) {
    _mm_stream_si128((__m128i *)(target + i), _mm_loadu_si128((const __m128i *)(source + i)));
  }
}

/* What was written is complete before any later store. */
static inline void stream_end(void) { _mm_sfence(); }
#define JGLOO_STREAMS 1
#endif

#endif

/*
 * Copies for memory that another process reads next.
 *
 * A plain copy leaves the bytes in this processor's cache, from where the reader's has to fetch
 * them line by line, and this one has to take the lines back to write there again. Between
 * processors that share no cache both take several times as long as memory. These stores go past
 * the caches, so that the reader finds the bytes in memory.
 */

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define JGLOO_X86 1
#include <emmintrin.h>
#endif

#define EXPORT __attribute__((visibility("default")))
#define LINE 64

/* The ranges must not overlap. What is written is complete before any later store. */
EXPORT void jgloo_streaming_copy(int64_t from, int64_t to, int64_t bytes);
EXPORT void jgloo_streaming_copy(int64_t from, int64_t to, int64_t bytes) {
  char *target = (char *)(intptr_t)to;
  const char *source = (const char *)(intptr_t)from;
#ifdef JGLOO_X86
  int64_t before = -to & (LINE - 1);
  if (bytes >= before + LINE) {
    memcpy(target, source, before);
    target += before, source += before, bytes -= before;
    for (; bytes >= LINE; bytes -= LINE, target += LINE, source += LINE) {
      for (int i = 0; i < LINE; i += 16) {
        _mm_stream_si128((__m128i *)(target + i), _mm_loadu_si128((const __m128i *)(source + i)));
      }
    }
    _mm_sfence();
  }
#endif
  memcpy(target, source, bytes);
}

/* Copies past the caches: see stream.h. */

#include "stream.h"

#define EXPORT __attribute__((visibility("default")))

/* The ranges must not overlap. What is written is complete before any later store. */
EXPORT void jgloo_streaming_copy(int64_t from, int64_t to, int64_t bytes);
EXPORT void jgloo_streaming_copy(int64_t from, int64_t to, int64_t bytes) {
  char *target = (char *)(intptr_t)to;
  const char *source = (const char *)(intptr_t)from;
#ifdef JGLOO_STREAMS
  int64_t before = stream_before(to);
  if (bytes >= before + STREAM_LINE) {
    memcpy(target, source, before);
    target += before, source += before, bytes -= before;
    int64_t lines = bytes & -STREAM_LINE;
    stream_lines(target, source, lines);
    target += lines, source += lines, bytes -= lines;
    stream_end();
  }
#endif
  memcpy(target, source, bytes);
}

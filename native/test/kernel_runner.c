/*
 * kernel_runner LIBRARY: runs kernels of a libjgloo.so on data from the standard input, so that a
 * Java test can verify a library of another architecture under an emulator.
 *
 * Writes the highest level, an int64. Then for each request, seven int64 (level, type, op, distances
 * of target and source from an aligned address, elements, bytes of an element) and the bytes of
 * target and source, writes the bytes of the target. All numbers are little-endian, as both
 * architectures are.
 */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 64
#define MAX_BYTES (1 << 20)
#define CANARY 0xa5

/* The numbers of a request. */
enum { LEVEL, TYPE, OP, TARGET, SOURCE, COUNT, ELEMENT, FIELDS };

static _Alignas(64) unsigned char target_room[MAX_BYTES + 2 * MARGIN];
static _Alignas(64) unsigned char source_room[MAX_BYTES + 2 * MARGIN];

static void require(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "kernel_runner: %s\n", what);
    exit(1);
  }
}

static void *symbol(void *library, const char *name) {
  void *found = dlsym(library, name);
  require(found != NULL, name);
  return found;
}

static void require_canaries(const unsigned char *from, const unsigned char *to) {
  for (; from < to; from++) {
    require(*from == CANARY, "a kernel wrote outside of its target");
  }
}

int main(int count, char **arguments) {
  require(count == 2, "usage: kernel_runner LIBRARY");
  void *library = dlopen(arguments[1], RTLD_NOW);
  require(library != NULL, library == NULL ? dlerror() : "");
  int32_t (*level)(void), (*kernel)(int32_t, int32_t, int32_t);
  void (*reduce)(int32_t, int64_t, int64_t, int64_t);
  *(void **)&level = symbol(library, "jgloo_kernel_level");
  *(void **)&kernel = symbol(library, "jgloo_kernel");
  *(void **)&reduce = symbol(library, "jgloo_reduce");

  int64_t highest = level(), request[FIELDS];
  fwrite(&highest, sizeof highest, 1, stdout);
  fflush(stdout);
  while (fread(request, sizeof request, 1, stdin) == 1) {
    size_t bytes = (size_t)(request[COUNT] * request[ELEMENT]);
    require(bytes <= MAX_BYTES - MARGIN, "too many elements");
    require(request[TARGET] >= 0 && request[TARGET] < MARGIN, "distance of the target");
    require(request[SOURCE] >= 0 && request[SOURCE] < MARGIN, "distance of the source");
    unsigned char *target = target_room + MARGIN + request[TARGET];
    unsigned char *source = source_room + MARGIN + request[SOURCE];
    memset(target_room, CANARY, (size_t)(target - target_room));
    memset(target + bytes, CANARY, MARGIN);
    require(fread(target, 1, bytes, stdin) == bytes, "no target");
    require(fread(source, 1, bytes, stdin) == bytes, "no source");
    int32_t handle = kernel((int32_t)request[LEVEL], (int32_t)request[TYPE], (int32_t)request[OP]);
    require(handle >= 0, "no such kernel");
    reduce(handle, (intptr_t)target, (intptr_t)source, request[COUNT]);
    require_canaries(target_room, target);
    require_canaries(target + bytes, target + bytes + MARGIN);
    require(fwrite(target, 1, bytes, stdout) == bytes, "no reader");
    fflush(stdout);
  }
  return 0;
}

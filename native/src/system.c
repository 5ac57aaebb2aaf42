/*
 * Calls of Linux for which Java has no method, by JNI, in its class SystemCalls. An error is a
 * negative number, -errno; a path is bytes that end with 0.
 *
 * By number where C libraries have the function for a few years only: memfd_create, renameat2.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define METHOD(type, name)                                                                         \
  JNIEXPORT type JNICALL Java_io_jgloo_transport_library_SystemCalls_##name
#define IGNORED (void)env, (void)class

#define MEMFD_CLOSE_ON_EXEC 1
#define MEMFD_ALLOW_SEALING 2
#define RENAME_EXCHANGED 2
#define SET_SEALS 1033
#define GET_SEALS 1034
#define ALL_SEALS (1 | 2 | 4) /* against further seals, shrinking and growing */

/* Cores of a mask: as many as kernels are built for. */
#define CORES 8192
typedef struct {
  unsigned long words[CORES / 8 / sizeof(unsigned long)];
} Mask;

METHOD(jstring, message)(JNIEnv *env, jclass class, jint number) {
  (void)class;
  return (*env)->NewStringUTF(env, strerror(number));
}

static jint failed(int descriptor) {
  int cause = errno;
  close(descriptor);
  return -cause;
}

METHOD(jint, createMemory)(JNIEnv *env, jclass class, jlong bytes) {
  IGNORED;
  int descriptor =
      (int)syscall(SYS_memfd_create, "jgloo", MEMFD_CLOSE_ON_EXEC | MEMFD_ALLOW_SEALING);
  if (descriptor < 0) {
    return -errno;
  }
  if (ftruncate(descriptor, bytes) || fcntl(descriptor, SET_SEALS, ALL_SEALS)) {
    return failed(descriptor);
  }
  return descriptor;
}

/* A path of at most PATH_MAX bytes. */
static int path_of(JNIEnv *env, jbyteArray bytes, char *path) {
  jsize length = (*env)->GetArrayLength(env, bytes);
  if (length > 4096) {
    return -ENAMETOOLONG;
  }
  (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *)path);
  return 0;
}

METHOD(jint, openMemory)(JNIEnv *env, jclass class, jbyteArray name) {
  (void)class;
  char path[4096];
  int wrong = path_of(env, name, path);
  int descriptor = wrong ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    return wrong ? wrong : -errno;
  }
  int seals = fcntl(descriptor, GET_SEALS, 0);
  if (seals < 0 || (seals & ALL_SEALS) != ALL_SEALS) {
    errno = seals < 0 ? errno : EPERM;
    return failed(descriptor);
  }
  return descriptor;
}

METHOD(jint, discardMemory)(JNIEnv *env, jclass class, jlong address, jlong bytes) {
  IGNORED;
  return madvise((void *)(intptr_t)address, (size_t)bytes, MADV_REMOVE) ? -errno : 0;
}

METHOD(jint, closeDescriptor)(JNIEnv *env, jclass class, jint descriptor) {
  IGNORED;
  return close(descriptor) ? -errno : 0;
}

METHOD(jint, lock)(JNIEnv *env, jclass class, jbyteArray name, jboolean exclusive) {
  (void)class;
  char path[4096];
  int wrong = path_of(env, name, path);
  int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (exclusive ? O_CREAT : 0);
  int descriptor = wrong ? -1 : open(path, flags, 0644);
  if (descriptor < 0) {
    return wrong ? wrong : -errno;
  }
  if (flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB)) {
    return failed(descriptor);
  }
  return descriptor;
}

METHOD(jint, exchangeNames)(JNIEnv *env, jclass class, jbyteArray one, jbyteArray other) {
  (void)class;
  char first[4096];
  char second[4096];
  int wrong = path_of(env, one, first);
  wrong = wrong ? wrong : path_of(env, other, second);
  if (wrong) {
    return wrong;
  }
  return syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGED) ? -errno : 0;
}

METHOD(jint, core)(JNIEnv *env, jclass class) {
  IGNORED;
  int core = sched_getcpu();
  return core < 0 ? -errno : core;
}

METHOD(jlong, preemptions)(JNIEnv *env, jclass class) {
  IGNORED;
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

METHOD(jint, leaveCore)(JNIEnv *env, jclass class) {
  IGNORED;
  Mask allowed;
  int core = sched_getcpu();
  if (core < 0 || core >= CORES || sched_getaffinity(0, sizeof allowed, (cpu_set_t *)&allowed)) {
    return 0;
  }
  Mask others = allowed;
  int bits = 8 * (int)sizeof others.words[0];
  others.words[core / bits] &= ~(1UL << (core % bits));
  if (sched_setaffinity(0, sizeof others, (cpu_set_t *)&others)) {
    return 0; /* an empty set is refused */
  }
  return sched_setaffinity(0, sizeof allowed, (cpu_set_t *)&allowed) ? -errno : 1;
}

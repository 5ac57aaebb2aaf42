/*
 * What Java calls by JNI, in its class JniCalls: the other functions of the library, and those that
 * work on Java arrays where they are.
 *
 * An array has an address only while the collector is kept from moving it, which is JNI's business.
 * That holds the collector up, so no call here waits or takes more than one part of a vector: Java
 * cuts longer ones.
 */

#include <errno.h>
#include <jni.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

int32_t jgloo_kernel_level(void);
int32_t jgloo_kernel(int32_t level, int32_t type, int32_t op);
void jgloo_reduce(int32_t handle, int64_t target, int64_t source, int64_t count);
void jgloo_streaming_reduce(int32_t handle, int64_t target, int64_t source, int64_t count);
void jgloo_streaming_copy(int64_t from, int64_t to, int64_t bytes);

/* Must equal JniCalls.VERSION; raised whenever a signature below or a code in kernels.c changes. */
#define VERSION 5

#define METHOD(type, name)                                                                         \
  JNIEXPORT type JNICALL Java_io_jgloo_transport_library_JniCalls_##name
#define IGNORED (void)env, (void)class

METHOD(jint, version)(JNIEnv *env, jclass class) {
  IGNORED;
  return VERSION;
}

METHOD(jint, kernelLevel)(JNIEnv *env, jclass class) {
  IGNORED;
  return jgloo_kernel_level();
}

METHOD(jint, kernel)(JNIEnv *env, jclass class, jint level, jint type, jint op) {
  IGNORED;
  return jgloo_kernel(level, type, op);
}

METHOD(void, reduce)(JNIEnv *env, jclass class, jint handle, jlong target, jlong source, jlong n) {
  IGNORED;
  jgloo_reduce(handle, target, source, n);
}

METHOD(void, reducePastCaches)(JNIEnv *env, jclass class, jint handle, jlong target, jlong source,
                               jlong n) {
  IGNORED;
  jgloo_streaming_reduce(handle, target, source, n);
}

/* target[i] = op(target[i], source[i]); offset in bytes. */
METHOD(void, reduceArray)(JNIEnv *env, jclass class, jint handle, jobject array, jlong offset,
                          jlong source, jlong count) {
  (void)class;
  char *elements = (*env)->GetPrimitiveArrayCritical(env, array, 0);
  if (elements) { /* else an OutOfMemoryError is pending */
    jgloo_reduce(handle, (int64_t)(intptr_t)(elements + offset), source, count);
    (*env)->ReleasePrimitiveArrayCritical(env, array, elements, 0);
  }
}

METHOD(void, callReduction)(JNIEnv *env, jclass class, jlong function, jlong target, jlong source,
                            jint granule, jint bytes) {
  IGNORED;
  void (*reduction)(const char *, char *, int32_t, int32_t) =
      (void (*)(const char *, char *, int32_t, int32_t))(intptr_t)function;
  reduction((const char *)(intptr_t)source, (char *)(intptr_t)target, granule, bytes);
}

/*
 * Sends what fits of memory at an address and the bytes of an array behind it; the socket does not
 * block. Returns the bytes sent, or minus the error.
 */
METHOD(jint, sendArray)(JNIEnv *env, jclass class, jint descriptor, jlong first, jint firstLength,
                        jobject array, jlong offset, jint length) {
  (void)class;
  char *elements = (*env)->GetPrimitiveArrayCritical(env, array, 0);
  if (!elements) {
    return 0;
  }
  struct iovec parts[2] = {{(void *)(intptr_t)first, (size_t)firstLength},
                           {elements + offset, (size_t)length}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t count;
  do {
    count = sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  jint result = count < 0 ? -errno : (jint)count;
  (*env)->ReleasePrimitiveArrayCritical(env, array, elements, JNI_ABORT);
  return result;
}

METHOD(void, streamingCopy)(JNIEnv *env, jclass class, jlong source, jlong target, jlong bytes) {
  IGNORED;
  jgloo_streaming_copy(source, target, bytes);
}

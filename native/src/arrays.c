/*
 * Java arrays, where they are: a reduction into one, and a write from one to a socket.
 *
 * An array has an address only while the collector is kept from moving it, which is JNI's business.
 * That holds the collector up, so no call here waits or takes more than one part of a vector: Java
 * cuts longer ones.
 */

#if defined(__has_include)
#if __has_include(<jni.h>)
#define JGLOO_JNI 1
#endif
#endif

#ifdef JGLOO_JNI
#include <errno.h>
#include <jni.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

void jgloo_reduce(int32_t handle, int64_t target, int64_t source, int64_t count);

/* Must equal ArrayCalls.VERSION; raised whenever a signature below changes. */
#define VERSION 1

JNIEXPORT jint JNICALL Java_io_jgloo_transport_library_ArrayCalls_version(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return VERSION;
}

/* target[i] = op(target[i], source[i]); handle as of jgloo_reduce, offset in bytes. */
JNIEXPORT void JNICALL Java_io_jgloo_transport_library_ArrayCalls_reduce(
    JNIEnv *env, jclass type, jint handle, jobject array, jlong offset, jlong source, jlong count) {
  (void)type;
  char *elements = (*env)->GetPrimitiveArrayCritical(env, array, 0);
  if (elements) { /* else an OutOfMemoryError is pending */
    jgloo_reduce(handle, (int64_t)(intptr_t)(elements + offset), source, count);
    (*env)->ReleasePrimitiveArrayCritical(env, array, elements, 0);
  }
}

/*
 * Sends what fits of memory at an address and the bytes of an array behind it; the socket does not
 * block. Returns the bytes sent, or minus the error.
 */
JNIEXPORT jint JNICALL Java_io_jgloo_transport_library_ArrayCalls_send(
    JNIEnv *env, jclass type, jint descriptor, jlong first, jint firstLength, jobject array,
    jlong offset, jint length) {
  (void)type;
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
#else
typedef int jgloo_no_arrays; /* built without a JDK: Java copies arrays to memory with an address */
#endif

/*
 * LightGBM's two network functions, done by a LightGbmNetwork of Java.
 *
 * LightGBM calls them on the thread that called LightGBM by JNI, so that thread has a JNIEnv. Its
 * network is thread-local, and so is this state. A failed collective must not return: LightGBM
 * would go on with what lies in its buffers. A Java exception cannot unwind C++, so Java returns
 * the message of an error, and this code throws it as a std::runtime_error, which LightGBM's C API
 * catches: its call returns -1, and LGBM_GetLastError has the message. Compiled with -fexceptions,
 * or the exception could not pass these frames.
 */

#include <dlfcn.h>
#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* target = f(target, source); sizes in bytes. */
typedef void (*reduction)(const char *source, char *target, int element, int32_t bytes);

static JavaVM *vm;
static jmethodID reduce_scatter_method;
static jmethodID allgather_method;
static void (*throw_runtime_error)(const char *message);

static _Thread_local jobject network; /* a LightGbmNetwork; 0 if this thread has none */
static _Thread_local jlongArray counts;
static _Thread_local int ranks;
static _Thread_local int rank;
static _Thread_local char message[4096]; /* outlives the stack frames that the exception unwinds */

static void fail(const char *text) {
  snprintf(message, sizeof message, "%s", text);
  throw_runtime_error(message);
}

/* Hands the lengths of the blocks to Java, which has the array. */
static JNIEnv *enter(const int32_t *start, const int32_t *length, int blocks) {
  JNIEnv *env = 0;
  if (!network || (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
    fail("JGloo: no LightGbmNetwork is open in this thread");
  }
  if (blocks != ranks) {
    fail("JGloo: LightGBM's number of blocks is not the size of the group");
  }
  int64_t end = 0;
  for (int i = 0; i < blocks; i++) {
    if (start[i] != end || length[i] < 0) {
      fail("JGloo: LightGBM's blocks do not follow each other, or are too long in total");
    }
    jlong count = length[i];
    (*env)->SetLongArrayRegion(env, counts, i, 1, &count);
    end += length[i];
  }
  return env;
}

/* Throws what Java has returned or, in spite of all, thrown. */
static void leave(JNIEnv *env, jstring error) {
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionClear(env);
    fail("JGloo: a collective of LightGBM has thrown an exception");
  }
  if (error) {
    jsize bytes = (*env)->GetStringUTFLength(env, error);
    if (bytes < (jsize)sizeof message) {
      (*env)->GetStringUTFRegion(env, error, 0, (*env)->GetStringLength(env, error), message);
      message[bytes] = 0;
    } else {
      snprintf(message, sizeof message, "JGloo: a collective of LightGBM has failed");
    }
    (*env)->DeleteLocalRef(env, error);
    throw_runtime_error(message);
  }
}

/* Reduces in place, as LightGBM's own does: its input is not used again. */
static void reduce_scatter(char *input, int32_t input_bytes, int element, const int32_t *start,
                           const int32_t *length, int blocks, char *output, int32_t output_bytes,
                           const reduction *reducer) {
  (void)input_bytes, (void)output_bytes;
  JNIEnv *env = enter(start, length, blocks);
  jstring error = (*env)->CallObjectMethod(env, network, reduce_scatter_method,
                                           (jlong)(intptr_t)input, (jint)element,
                                           (jlong)(intptr_t)*reducer);
  leave(env, error);
  if (output != input) {
    memmove(output, input, (size_t)length[rank]); /* the own block lies in front */
  }
}

static void allgather(char *input, int32_t input_bytes, const int32_t *start,
                      const int32_t *length, int blocks, char *output, int32_t output_bytes) {
  (void)input_bytes, (void)output_bytes;
  JNIEnv *env = enter(start, length, blocks);
  if (input != output + start[rank]) {
    memmove(output + start[rank], input, (size_t)length[rank]); /* may overlap */
  }
  leave(env, (*env)->CallObjectMethod(env, network, allgather_method, (jlong)(intptr_t)output));
}

#define METHOD(type, name) JNIEXPORT type JNICALL Java_io_jgloo_lightgbm_LightGbmNetwork_##name

/* Returns what is missing, or null. */
METHOD(jstring, prepare)(JNIEnv *env, jclass class) {
  if (!throw_runtime_error) {
    void *library = dlopen("libstdc++.so.6", RTLD_NOW); /* LightGBM's own, loaded already */
    void *function = library ? dlsym(library, "_ZSt21__throw_runtime_errorPKc") : 0;
    if (!function) {
      const char *why = dlerror();
      return (*env)->NewStringUTF(env, why ? why : "libstdc++.so.6 cannot be used");
    }
    (*env)->GetJavaVM(env, &vm);
    reduce_scatter_method =
        (*env)->GetMethodID(env, class, "reduceScatter", "(JIJ)Ljava/lang/String;");
    allgather_method = (*env)->GetMethodID(env, class, "allgather", "(J)Ljava/lang/String;");
    if (!reduce_scatter_method || !allgather_method) {
      return 0; /* an error is pending */
    }
    memcpy(&throw_runtime_error, &function, sizeof function);
  }
  return 0;
}

METHOD(jlong, reduceScatterFunction)(JNIEnv *env, jclass class) {
  (void)env, (void)class;
  return (jlong)(intptr_t)reduce_scatter;
}

METHOD(jlong, allgatherFunction)(JNIEnv *env, jclass class) {
  (void)env, (void)class;
  return (jlong)(intptr_t)allgather;
}

/* Returns whether this thread had no network. */
METHOD(jboolean, bind)(JNIEnv *env, jclass class, jobject instance, jlongArray blocks, jint own) {
  (void)class;
  if (network) {
    return JNI_FALSE;
  }
  network = (*env)->NewGlobalRef(env, instance);
  counts = (*env)->NewGlobalRef(env, blocks);
  ranks = (*env)->GetArrayLength(env, blocks);
  rank = own;
  return JNI_TRUE;
}

METHOD(void, unbind)(JNIEnv *env, jclass class) {
  (void)class;
  (*env)->DeleteGlobalRef(env, network);
  (*env)->DeleteGlobalRef(env, counts);
  network = 0;
  counts = 0;
}

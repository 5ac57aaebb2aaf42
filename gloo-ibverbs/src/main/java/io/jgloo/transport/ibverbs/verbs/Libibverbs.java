package io.jgloo.transport.ibverbs.verbs;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.jgloo.transport.memory.Memory;
import java.nio.charset.StandardCharsets;

/**
 * The native calls: the exported functions of libibverbs, and those of the C library that go with
 * them, by JNA's direct mapping.
 *
 * <p>A pointer is a {@code long}: with nothing but numbers in a signature a call takes 80 ns. All
 * are of one class because the loader finds what a library depends on as well, and libibverbs
 * depends on the C library.
 */
final class Libibverbs {

  /**
   * With the version of its interface: the plain name exists only where it is developed against.
   */
  static final String FILE = "libibverbs.so.1";

  static final int F_GETFL = 3;
  static final int F_SETFL = 4;
  static final int O_NONBLOCK = 0x800;
  static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | O_NONBLOCK;
  static final int RLIMIT_MEMLOCK = 8;
  static final int POLLIN = 1;
  static final int EINTR = 4;

  private Libibverbs() {}

  /**
   * Binds the functions below; once in a JVM.
   *
   * @throws LinkageError if there is no library, or it lacks one of them
   */
  static void bind() {
    Native.register(Libibverbs.class, NativeLibrary.getInstance(FILE));
  }

  /** What this thread's last call of a function below left in errno. */
  static int errno() {
    return Native.getLastError();
  }

  /** The same, as an exception. */
  static VerbsException lastError(String call) {
    return error(call, errno());
  }

  static VerbsException error(String call, int errno) {
    return new VerbsException(call, errno, text(strerror(errno)));
  }

  /** A C string. */
  static String text(long address) {
    if (address == 0) {
      return "";
    }
    int length = 0;
    while (Memory.getByte(address + length) != 0) {
      length++;
    }
    byte[] bytes = new byte[length];
    Memory.copy(address, bytes, 0, length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static native long ibv_get_device_list(int[] count);

  static native void ibv_free_device_list(long list);

  static native long ibv_get_device_name(long device);

  static native long ibv_open_device(long device);

  static native int ibv_close_device(long context);

  static native int ibv_query_device(long context, long attributes);

  static native int ibv_query_port(long context, byte port, long attributes);

  static native int ibv_query_gid(long context, byte port, int index, long gid);

  static native int ibv_get_async_event(long context, long event);

  static native void ibv_ack_async_event(long event);

  static native long ibv_event_type_str(int type);

  static native long ibv_alloc_pd(long context);

  static native int ibv_dealloc_pd(long domain);

  static native long ibv_reg_mr(long domain, long address, long length, int access);

  static native int ibv_dereg_mr(long region);

  static native long ibv_create_comp_channel(long context);

  static native int ibv_destroy_comp_channel(long channel);

  static native long ibv_create_cq(
      long context, int entries, long cookie, long channel, int vector);

  static native int ibv_destroy_cq(long queue);

  static native int ibv_get_cq_event(long channel, long queue, long cookie);

  static native void ibv_ack_cq_events(long queue, int count);

  static native long ibv_create_qp(long domain, long attributes);

  static native int ibv_modify_qp(long pair, long attributes, int mask);

  static native int ibv_destroy_qp(long pair);

  static native long ibv_wc_status_str(int status);

  static native long strerror(int errno);

  static native int fcntl(int file, int command, long argument);

  static native int eventfd(int initial, int flags);

  static native int ppoll(long files, long count, long timeout, long signals);

  static native long read(int file, long address, long length);

  static native long write(int file, long address, long length);

  static native int close(int file);

  static native int getrlimit(int resource, long limits);
}

package io.jgloo.transport.ibverbs.verbs;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.jgloo.transport.library.LibraryFile;
import java.io.IOException;
import java.util.Map;

/**
 * The calls of every message, which go to the device's driver through a table of pointers: by C
 * functions in libjgloo, which allocate nothing and take 80 ns. JNA boxes each argument of a call
 * by pointer, 565 ns.
 */
final class DriverCalls {

  /** Symbols by the names the native methods below bear. */
  private static final Map<String, String> SYMBOLS =
      Map.of(
          "postSend", "jgloo_verbs_post_send",
          "postReceive", "jgloo_verbs_post_receive",
          "poll", "jgloo_verbs_poll",
          "requestEvent", "jgloo_verbs_request_event");

  private DriverCalls() {}

  /**
   * Loads the library and binds its functions.
   *
   * @throws IOException if there is no such file
   * @throws LinkageError if it cannot be loaded, or is one without these functions
   * @throws UnsupportedOperationException if the user has switched it off
   */
  static void bind() throws IOException {
    FunctionMapper symbols = (owner, method) -> SYMBOLS.get(method.getName());
    try (LibraryFile file = LibraryFile.find(System.getProperties())) {
      Native.register(
          DriverCalls.class,
          NativeLibrary.getInstance(
              file.path().toString(), Map.of(Library.OPTION_FUNCTION_MAPPER, symbols)));
    }
  }

  /** Posts sends; 0 or errno. */
  static native int postSend(long pair, long first, long refused);

  /** Posts receives; 0 or errno. */
  static native int postReceive(long pair, long first, long refused);

  /** Completions taken, or a negative number. */
  static native int poll(long queue, int most, long completions);

  /** Asks for an event; 0 or errno. */
  static native int requestEvent(long queue);
}

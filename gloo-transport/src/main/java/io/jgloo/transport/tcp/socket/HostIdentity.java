package io.jgloo.transport.tcp.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Names this host, so that two ranks can find out whether they share one. */
public final class HostIdentity {

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  /** Attribute {@code host} may have a slash, too. */
  private static final Pattern WITH_BOOT_ID = Pattern.compile(".*/[0-9a-f]{8}(-[0-9a-f]{4,12}){4}");

  private HostIdentity() {}

  /** The host's name, by which C++ Gloo identifies a host. */
  public static String name() {
    return read(HOST_NAME, localName());
  }

  /** Host name and, on Linux, the kernel's boot id, as host names are not always different. */
  static String own() {
    String boot = read(BOOT_ID, "");
    return name() + (boot.isEmpty() ? "" : "/" + boot);
  }

  /** Whether two identities of {@link #own} differ in the name only: containers of one host. */
  public static boolean isSameKernel(String one, String other) {
    int boot = one.lastIndexOf('/');
    return boot >= 0
        && !one.equals(other)
        && one.substring(boot).equals(other.substring(Math.max(0, other.lastIndexOf('/'))));
  }

  /** Whether two identities of {@link #own} are of different machines; false if unknown. */
  public static boolean areOfDifferentKernels(String one, String other) {
    return WITH_BOOT_ID.matcher(one).matches()
        && WITH_BOOT_ID.matcher(other).matches()
        && !one.substring(one.lastIndexOf('/')).equals(other.substring(other.lastIndexOf('/')));
  }

  /** The host's name in an identity. */
  public static String name(String identity) {
    int boot = identity.lastIndexOf('/');
    return boot < 0 ? identity : identity.substring(0, boot);
  }

  private static String read(Path file, String otherwise) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return otherwise; // not Linux, or hidden from this process
    }
  }

  private static String localName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}

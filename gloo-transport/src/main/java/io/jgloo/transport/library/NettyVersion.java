package io.jgloo.transport.library;

import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks which Netty is on the class or module path. Dependency management of an application can
 * replace ours by 4.1, which lacks the classes of I/O handlers.
 */
public final class NettyVersion {

  private static final int MINOR = 2; // of 4

  /** A class of each artifact that the libraries use; Netty 4.1 has them too. */
  private static final List<String> CLASSES =
      List.of(
          "io.netty.util.Version",
          "io.netty.buffer.ByteBuf",
          "io.netty.channel.Channel",
          "io.netty.channel.unix.FileDescriptor",
          "io.netty.channel.epoll.Epoll",
          "io.netty.handler.ssl.ClientAuth");

  private static final Pattern VERSION = Pattern.compile("4\\.(\\d+)\\.");

  private NettyVersion() {}

  /**
   * What is wrong with Netty here and how to change it, or empty if it can be used. A jar that does
   * not tell its version, such as one with the classes of others in it, is taken as usable.
   */
  public static Optional<String> problem() {
    for (String name : CLASSES) {
      try {
        Class<?> type = Class.forName(name, false, NettyVersion.class.getClassLoader());
        String version = version(type);
        if (version != null && isOlder(version)) {
          return Optional.of(
              "JGloo needs Netty 4.2, found "
                  + version
                  + " at "
                  + location(type)
                  + ": import io.netty:netty-bom of 4.2 before the BOM that manages Netty"
                  + " (such as spring-boot-dependencies)");
        }
      } catch (ClassNotFoundException e) {
        return Optional.of("JGloo needs Netty 4.2, found no " + name);
      }
    }
    return Optional.empty();
  }

  /**
   * From the module's descriptor or the jar's manifest; null if neither tells, and for classes in
   * the jar of this one (gloo-shaded, an application in one jar), whose version is not Netty's.
   */
  private static String version(Class<?> type) {
    CodeSource source = source(type);
    if (source != null && source.equals(source(NettyVersion.class))) {
      return null;
    }
    Module module = type.getModule();
    return module.isNamed()
        ? module.getDescriptor().rawVersion().orElse(null)
        : type.getPackage().getImplementationVersion();
  }

  private static boolean isOlder(String version) {
    Matcher matcher = VERSION.matcher(version);
    return matcher.lookingAt() && Integer.parseInt(matcher.group(1)) < MINOR;
  }

  private static String location(Class<?> type) {
    CodeSource source = source(type);
    return source == null ? "an unknown place" : String.valueOf(source.getLocation());
  }

  private static CodeSource source(Class<?> type) {
    return type.getProtectionDomain().getCodeSource();
  }
}

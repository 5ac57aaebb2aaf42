package io.jgloo.transport.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pid namespace of this process: within one, a pid means the same process to all. */
final class PidNamespace {

  private static final long OWN = read();

  private PidNamespace() {}

  /** Its inode, or 0 if it cannot be known. */
  static long own() {
    return OWN;
  }

  private static long read() {
    try {
      String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return Long.parseLong(link.replaceAll("[^0-9]", "")); // pid:[4026531836]
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}

package io.jgloo.transport.shm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of segment files, which say what process has made them, so that those of processes that
 * were killed can be removed.
 *
 * <p>A name holds the pid namespace, the pid and the start time of the process. Files of another
 * pid namespace are left alone: their processes cannot be seen from here.
 */
final class Leftovers {

  private static final Pattern NAME =
      Pattern.compile("jgloo-([0-9]+)-([0-9]+)-([0-9]+)-[0-9a-f]{16}");

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int START_TIME_FIELD = 19; // behind the command, from 0

  private Leftovers() {}

  /** A name that no other file has. */
  static String newName() throws IOException {
    byte[] random = new byte[8];
    RANDOM.nextBytes(random);
    long pid = ProcessHandle.current().pid();
    return "jgloo-%d-%d-%s-%s"
        .formatted(
            PidNamespace.own(),
            pid,
            startTime(Long.toString(pid)),
            HexFormat.of().formatHex(random));
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * Removes the files of processes of this pid namespace that have ended, as far as this user may.
   */
  static void remove(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "jgloo-*")) {
      for (Path file : files) {
        if (isOfDead(file.getFileName().toString())) {
          removeIfAllowed(file);
        }
      }
    }
  }

  private static void removeIfAllowed(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It is of another user, whose next process removes it.
    }
  }

  private static boolean isOfDead(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches() || !parts.group(1).equals(Long.toString(PidNamespace.own()))) {
      return false;
    }
    try {
      return !startTime(parts.group(2)).equals(parts.group(3));
    } catch (IOException e) {
      return true; // no such process
    }
  }

  /** Clock ticks since the host was booted; see proc(5), stat. */
  private static String startTime(String pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", pid, "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[START_TIME_FIELD];
  }
}

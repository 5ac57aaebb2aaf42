package io.jgloo.rendezvous.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file store on a full and on a read-only file system, each a mount that no other test sees. */
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FileSystemSystemTest {
  @TempDir private Path folder;

  /** Output of the program in a process with that mount. */
  private String run(String options) throws Exception {
    String mount = "mount -t tmpfs -o " + options + " none " + folder;
    List<String> command = new ArrayList<>();
    command.addAll(List.of("unshare", "--mount", "sh", "-c", mount + " && exec \"$@\"", "sh"));
    List<String> trial = new ArrayList<>(command);
    trial.add("true");
    assumeTrue(isPermitted(trial), "not permitted or not installed: " + trial);
    command.addAll(ShortJvm.command("-Xmx64m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FullFileSystemMain.class.getName(), folder.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      return new String(process.getInputStream().readAllBytes(), UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean isPermitted(List<String> command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  @Test
  void fullFileSystem_failsTheWriteAndLeavesAllOtherKeys() throws Exception {
    String output = run("size=128k");
    assertTrue(output.contains("No space left on device"), output);
    assertTrue(output.endsWith("done\n"), output);
  }

  @Test
  void readOnlyFileSystem_isNamedInTheError() throws Exception {
    String output = run("ro");
    String first = output.lines().filter(line -> line.contains("Exception")).findFirst().orElse("");
    assertTrue(first.contains("StoreUnavailableException"), output);
    assertTrue(first.contains(folder.toString()), output);
    assertEquals(-1, output.indexOf("done"), output);
  }
}

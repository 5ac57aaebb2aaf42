package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A JVM that forbids native access is refused with the option that permits it. */
@Timeout(90)
final class NativeAccessSystemTest {

  private static final int DENIED_SINCE = 24;

  /** The program: opens a device twice. */
  public static void main(String[] arguments) {
    for (int attempt = 0; attempt < 2; attempt++) {
      try {
        Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1")).close();
        System.out.println("opened");
      } catch (UnavailableException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }

  @Test
  void deviceInJvmThatForbidsNativeAccess_namesTheOption() throws Exception {
    assumeTrue(Runtime.version().feature() >= DENIED_SINCE, "this JDK has no such option");
    List<String> command = new ArrayList<>(ShortJvm.command("--illegal-native-access=deny"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(NativeAccessSystemTest.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "has not ended");
      List<String> refusals = output.lines().toList();
      assertTrue(refusals.size() == 2, output);
      for (String refusal : refusals) {
        assertTrue(refusal.startsWith("refused: "), refusal);
        assertTrue(refusal.contains("--enable-native-access=ALL-UNNAMED"), refusal);
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }
}

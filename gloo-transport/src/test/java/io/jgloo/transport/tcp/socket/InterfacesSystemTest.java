package io.jgloo.transport.tcp.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The address that is chosen in a network of its own, which has no default route. */
@Timeout(60)
class InterfacesSystemTest {

  private static final String TWO =
      "ip link set lo up; ip link add eth0 type veth peer name eth1;"
          + " ip link set eth0 up; ip link set eth1 up; ";

  /** In the child process. */
  static final class Main {

    private Main() {}

    public static void main(String[] none) {
      Interfaces.Choice choice = Interfaces.choose(null, null, null);
      System.out.println(choice.address().getHostAddress() + " " + choice.reason());
    }
  }

  @Test
  void onlyOneInterfaceIsUp_itIsChosen() throws Exception {
    assertEquals(
        "10.1.2.3 no default route; only eth0 is up beside loopback",
        chosen(TWO + "ip addr add 10.1.2.3/24 dev eth0"));
  }

  @Test
  void severalInterfacesAreUp_loopbackAndTheirNames() throws Exception {
    String reason = "no route leaves this machine: only ranks on it can join";
    assertEquals(
        "127.0.0.1 " + reason + "; set attribute interface to one of [eth0, eth1]",
        chosen(TWO + "ip addr add 10.1.2.3/24 dev eth0; ip addr add 10.1.3.3/24 dev eth1")
            .replace("[eth1, eth0]", "[eth0, eth1]"));
    assertEquals("127.0.0.1 " + reason, chosen("ip link set lo up"));
  }

  private static String chosen(String network) throws Exception {
    List<String> command = new ArrayList<>(List.of("unshare", "--net", "sh", "-c"));
    command.addAll(List.of("set -e; " + network + "; exec \"$@\"", "sh"));
    assumeTrue(succeeds(command), "not permitted or not installed: " + command);
    command.addAll(ShortJvm.command("-Xmx32m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, process.waitFor(), output);
      return output.strip();
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean succeeds(List<String> command) throws InterruptedException {
    List<String> nothing = new ArrayList<>(command);
    nothing.add("true");
    try {
      return new ProcessBuilder(nothing).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }
}

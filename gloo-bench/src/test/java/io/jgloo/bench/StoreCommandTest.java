package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.jar.Bench;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.transport.AuthenticationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store served by a process of its own. */
@Timeout(120)
final class StoreCommandTest {
  private static final String LISTENING = "listening on ";

  @Test
  void tlsOfTheEnvironment_isRequiredOfClients(@TempDir Path folder) throws Exception {
    JobCertificate files = JobCertificate.create(folder);
    Map<String, String> variables =
        Map.of(
            "GLOO_TLS_CERTIFICATE", files.certificate().toString(),
            "GLOO_TLS_KEY", files.key().toString(),
            "GLOO_TLS_CA", files.authority().toString(),
            "GLOO_TLS_RANK", "any");
    try (BenchProcess served =
        BenchProcess.start(Bench.class, folder, "store --port 0", variables)) {
      String url = "tcp://" + served.row().substring(LISTENING.length()) + "?serve=no";
      Duration patience = Duration.ofSeconds(30);
      AuthenticationException refused =
          assertThrows(AuthenticationException.class, () -> Stores.open(url, 0, patience));
      assertTrue(refused.getMessage().contains("requires TLS"), refused::getMessage);
      StoreCredentials credentials = StoreCredentials.fromEnvironment(variables);
      try (Store store = Stores.open(url, 0, 1, patience, credentials)) {
        store.set("k", new byte[] {7});
        assertArrayEquals(new byte[] {7}, store.get("k"));
      }
    }
  }

  @Test
  void nonsenseIsNamed() {
    for (String line : new String[] {"--port 65536", "--port x", "--bind no.invalid", "more"}) {
      Invocation run = Invocation.of(("store " + line).split(" "));
      assertEquals(ExitCode.USAGE, run.code(), run.err());
      assertTrue(run.err().startsWith("gloo-bench: "), run.err());
      String last = line.substring(line.lastIndexOf(' ') + 1);
      assertTrue(run.err().contains(last), run.err());
    }
    assertEquals(ExitCode.VERIFIED, Invocation.of("store", "--help").code());
  }
}

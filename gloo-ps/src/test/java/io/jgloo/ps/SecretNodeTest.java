package io.jgloo.ps;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.node.Role;
import io.jgloo.rendezvous.Stores;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Certificates;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of one job secret recognize each other in a store that other processes can write. */
@Timeout(100)
final class SecretNodeTest {
  private static final DeviceOptions LOOPBACK = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");

  private static PsOptions with(PsOptions options, String secret) {
    JobSecret job = JobSecret.of(("the secret is " + secret).getBytes(US_ASCII));
    return options.withMessenger(
        options.messenger().toBuilder().device("tcp", LOOPBACK.withSecret(job)).build());
  }

  @Test
  void nodesWithOneSecret_startAndSealTheirRecords() throws Exception {
    try (Cluster cluster = Cluster.start(1, 1, options -> with(options, "red"), node -> {})) {
      String prefix = "jgloo-ps/" + cluster.options(Role.WORKER).messenger().group() + "/";
      List<String> keys =
          List.of("run", "declared", "node/SERVER/1", "node/WORKER/1", "ranks", "started");
      for (String key : keys) {
        byte[] value = cluster.store().get(prefix + key, Cluster.PATIENCE);
        assertTrue(new String(value, US_ASCII).startsWith("JGM1"), key);
      }
      cluster.finish();
    }
  }

  private static PsOptions overTls(Role role, int port) {
    TlsOptions files = Certificates.of("jgloo://tests", Instant.now().plusSeconds(3600), false);
    Map<String, String> variables = new HashMap<>();
    variables.put("DMLC_ROLE", role.name().toLowerCase(Locale.ROOT));
    variables.put("DMLC_NUM_SERVER", "1");
    variables.put("DMLC_NUM_WORKER", "1");
    variables.put("DMLC_PS_ROOT_URI", "127.0.0.1");
    variables.put("DMLC_PS_ROOT_PORT", Integer.toString(port));
    variables.put("DMLC_NODE_HOST", "127.0.0.1");
    variables.put("GLOO_TLS_CERTIFICATE", files.certificate().toString());
    variables.put("GLOO_TLS_KEY", files.key().toString());
    variables.put("GLOO_TLS_CA", files.authority().toString());
    variables.put("GLOO_TLS_RANK", "any");
    return PsOptions.fromEnvironment(variables).withStartTimeout(Cluster.PATIENCE);
  }

  @Test
  void nodesWithTlsInTheEnvironment_useItForTheirStoreToo() throws Exception {
    int port = FreePort.choose();
    try (PsNode scheduler = new PsNode(overTls(Role.SCHEDULER, port));
        PsNode server = new PsNode(overTls(Role.SERVER, port));
        PsNode worker = new PsNode(overTls(Role.WORKER, port))) {
      List<PsNode> nodes = List.of(scheduler, server, worker);
      for (CompletableFuture<Void> start :
          nodes.stream().map(node -> Cluster.later(node::start)).toList()) {
        start.get(60, TimeUnit.SECONDS);
      }
      AuthenticationException refused =
          assertThrows(
              AuthenticationException.class,
              () -> Stores.connect("127.0.0.1", port, Cluster.PATIENCE));
      assertTrue(refused.getMessage().contains("requires TLS"), refused::getMessage);
      for (CompletableFuture<Void> end :
          nodes.stream().map(node -> Cluster.later(() -> node.finish(Cluster.PATIENCE))).toList()) {
        end.get(60, TimeUnit.SECONDS);
      }
    }
  }

  /** The first to come sets the numbers; nodes with another secret do not believe them. */
  @Test
  void nodeWithAnotherSecretOrNone_isRefused() throws Exception {
    try (Cluster cluster = Cluster.start(1, 1, options -> with(options, "red"), node -> {})) {
      PsOptions worker =
          cluster.options(Role.WORKER).withStartTimeout(Duration.ofSeconds(5)).withRank(0);
      List<PsOptions> others = List.of(worker, with(worker, "blue"));
      for (PsOptions options : others) {
        try (PsNode node = new PsNode(options)) {
          CompletableFuture<Void> start = Cluster.later(node::start);
          ExecutionException failure =
              assertThrows(ExecutionException.class, () -> start.get(60, TimeUnit.SECONDS));
          assertInstanceOf(AuthenticationException.class, failure.getCause());
          assertTrue(failure.getMessage().contains("is not of this job"), failure::getMessage);
        }
      }
      assertEquals(List.of(), cluster.scheduler().deadNodes());
      cluster.finish();
    }
  }
}

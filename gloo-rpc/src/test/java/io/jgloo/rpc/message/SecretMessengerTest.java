package io.jgloo.rpc.message;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.message.AgentRecords.AgentRecord;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.MeshConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents of one job secret find each other in a store that other processes can write. */
@Timeout(100)
final class SecretMessengerTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final String GROUP = "jgloo-rpc/" + Messengers.OPTIONS.group() + "/";

  private final HashStore store = new HashStore();
  private final List<Messenger> all = new ArrayList<>();

  @AfterEach
  void closeAll() {
    all.forEach(Messenger::close);
    store.close();
  }

  private CompletableFuture<Void> start(int rank, String secret, Duration timeout) {
    DeviceOptions device = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    if (!secret.equals("none")) {
      device = device.withSecret(JobSecret.of(("the secret is " + secret).getBytes(US_ASCII)));
    }
    MessengerOptions options =
        Messengers.OPTIONS.toBuilder().device("tcp", device).startTimeout(timeout).build();
    Messenger messenger = new Messenger("m" + rank, rank, 2, store, options);
    all.add(messenger);
    return CompletableFuture.runAsync(messenger::start, task -> new Thread(task).start());
  }

  private void startBoth(String secret) {
    CompletableFuture.allOf(start(0, secret, LONG), start(1, secret, LONG)).join();
  }

  private static Throwable failure(CompletableFuture<Void> start) {
    return assertThrows(CompletionException.class, start::join).getCause();
  }

  private boolean isSealed(String key) {
    return new String(store.get(GROUP + key, SHORT), US_ASCII).startsWith("JGM1");
  }

  @Test
  void agentsWithOneSecret_connectAndSealTheirRecords() {
    startBoth("red");
    assertTrue(all.get(0).agent(1).isPresent());
    for (String key : List.of("agent/0", "agent/1", "name/m0", "name/m1")) {
      assertTrue(isSealed(key), key);
    }
  }

  @Test
  void otherSecretOrNone_isReportedAtBothAgents() {
    for (List<String> pair : List.of(List.of("red", "blue"), List.of("none", "blue"))) {
      CompletableFuture<Void> first = start(0, pair.get(0), SHORT);
      CompletableFuture<Void> second = start(1, pair.get(1), SHORT);
      for (CompletableFuture<Void> start : List.of(first, second)) {
        Throwable failure = failure(start);
        assertInstanceOf(AuthenticationException.class, failure, failure::toString);
        assertTrue(failure.getMessage().contains("job"), failure::toString);
      }
    }
  }

  @Test
  void recordsOfAnotherJobThatHasEnded_areReplaced() {
    for (String secret : List.of("red", "none", "blue")) {
      startBoth(secret);
      all.forEach(Messenger::close);
    }
    assertTrue(isSealed("agent/0"));
  }

  /** The forged record has an address at which no process listens any more. */
  @Test
  void forgedRecord_isNotUsedButReplaced() {
    failure(start(0, "red", SHORT));
    all.get(0).close();
    byte[] sealed = store.get(GROUP + "agent/0", LONG);
    AgentRecord real = AgentRecord.decode(0, 2, Arrays.copyOfRange(sealed, 52, sealed.length));
    AgentId id = new AgentId(1, 99);
    AgentRecord forged = new AgentRecord(id, 2, real.window(), real.frame(), "m1", real.address());
    store.set(GROUP + "agent/1", forged.encode());
    assertInstanceOf(AuthenticationException.class, failure(start(0, "red", SHORT)));
    all.get(1).close();
    startBoth("red");
    assertTrue(all.get(2).agent(1).orElseThrow().incarnation() < 99);
  }

  @Test
  void absentAgent_isNoQuestionOfSecrets() {
    Throwable failure = failure(start(0, "red", SHORT));
    assertInstanceOf(MeshConnectException.class, failure);
    assertEquals(1, ((MeshConnectException) failure).causes().size());
  }
}

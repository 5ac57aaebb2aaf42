package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.rref.protocol.RRefTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process is killed with SIGKILL and started again, time after time; prints how long the others
 * need to notice.
 *
 * <p>Long form of tests; {@code -Djgloo.rref.kills=20} runs it by itself.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class KillTest {

  private static final int KILLS =
      Integer.getInteger("jgloo.rref.kills", Boolean.getBoolean("jgloo.test.full") ? 20 : 0);

  private final TcpStore store = Stores.serve("127.0.0.1", 0, Group.PATIENCE);
  private RpcAgent agent;
  private ChildJvm child;
  private long killedAt;

  /** One kill: what it is to be measured on, and how long that took in milliseconds. */
  @FunctionalInterface
  private interface Kill {
    double of(AgentId victim) throws Exception;
  }

  private void repeat(String what, Kill kill) throws Exception {
    assumeTrue(KILLS > 0, "long form of tests");
    List<Double> times = new ArrayList<>();
    long incarnation = 0;
    for (int i = 0; i < KILLS; i++) {
      AgentId victim = startVictim(incarnation);
      incarnation = victim.incarnation();
      times.add(kill.of(victim));
      Group.await("nothing is left", () -> agent.rrefs().tables().read(RRefTables::isQuiet));
      assertThrows(NotExecutedException.class, () -> agent.rpcSync(victim, RRefProcess.TWICE, 1L));
    }
    times.sort(null);
    System.out.printf(
        "%d kills, %s: median %.0f ms, longest %.0f ms%n",
        KILLS, what, times.get(KILLS / 2), times.get(KILLS - 1));
  }

  private AgentId startVictim(long after) throws IOException {
    child = RRefProcess.start(1, 2, store.port());
    if (agent == null) {
      agent =
          RpcAgent.start(
              "a0",
              0,
              2,
              store,
              Group.options().functions(RRefProcess.functions(new ArrayList<>())).build());
    }
    Group.await(
        "the process has joined",
        () -> agent.messenger().agent(1).filter(id -> id.incarnation() > after).isPresent());
    AgentId victim = agent.messenger().agent(1).orElseThrow();
    assertEquals(2, agent.rpcSync(victim, RRefProcess.TWICE, 1L));
    return victim;
  }

  private void kill() {
    killedAt = System.nanoTime();
    child.close();
  }

  private double millis() {
    return (System.nanoTime() - killedAt) / 1e6;
  }

  private static Throwable causeOf(CompletableFuture<?> future) {
    return assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS))
        .getCause();
  }

  @AfterEach
  void end() {
    if (agent != null) {
      agent.close();
      child.close();
    }
    store.close();
  }

  @Test
  void killedOwner_failsTheFetchThatWaits() throws Exception {
    repeat(
        "owner: a fetch fails with OWNER_LOST",
        owner -> {
          RRef<Long> pending = agent.rrefs().remote(owner, RRefProcess.HANG, 4L);
          pending.confirmed().get(30, TimeUnit.SECONDS);
          CompletableFuture<Long> fetch = CompletableFuture.supplyAsync(pending::toHere);
          Group.await("the fetch is sent", () -> agent.rrefs().counts().get("fetches") == 1);
          kill();
          Throwable cause = causeOf(fetch);
          double took = millis();
          RRefException lost = assertInstanceOf(RRefException.class, cause);
          assertEquals(RRefException.Reason.OWNER_LOST, lost.reason(), lost::getMessage);
          pending.close();
          return took;
        });
  }

  @Test
  void killedUser_losesItsForks() throws Exception {
    repeat(
        "user: the owner drops its forks and the value",
        user -> {
          long dropped = agent.rrefs().counts().get("dropped");
          RRef<Long> own = agent.rrefs().of(7L, Codecs.LONG);
          assertEquals(7, agent.rpcSync(user, RRefProcess.KEEP, own));
          own.close();
          assertEquals(1L, agent.rrefs().counts().get("forks"));
          kill();
          Group.await(
              "the value is dropped", () -> agent.rrefs().counts().get("dropped") > dropped);
          return millis();
        });
  }

  @Test
  void killedCaller_freesTheValuesItMade() throws Exception {
    repeat(
        "caller: the 100 values that it has made are freed",
        caller -> {
          assertEquals(9900, agent.rpcSync(caller, RRefProcess.MAKE_AT_CALLER, 100L));
          assertEquals(100L, agent.rrefs().counts().get("owners"));
          kill();
          Group.await("its values are freed", () -> agent.rrefs().counts().get("owners") == 0);
          return millis();
        });
  }

  @Test
  void killedCallee_endsTheCallAsUnknown() throws Exception {
    repeat(
        "callee: a call that runs ends as unknown",
        callee -> {
          RRef<Long> argument = agent.rrefs().of(7L, Codecs.LONG);
          CompletableFuture<Long> call = agent.rpcAsync(callee, RRefProcess.HANG, 1L);
          assertEquals(7, agent.rpcSync(callee, RRefProcess.KEEP, argument));
          argument.close();
          kill();
          Throwable cause = causeOf(call);
          double took = millis();
          assertTrue(cause instanceof OutcomeUnknownException, cause::toString);
          return took;
        });
  }
}

package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent that cannot be reached, but has not ended, is lost peerTimeout after the start. */
@Timeout(60)
final class SimPeerTimeoutTest {

  private static final int SERVICE = 1;
  private static final long MILLI = 1_000_000;
  private static final Duration PEER_TIMEOUT = Duration.ofSeconds(2);

  private final HashStore store = new HashStore();
  private final SimWorld world = new SimWorld(2, 1).limit(Duration.ofMinutes(5));

  /** Agents that have done their part. */
  private final AtomicInteger done = new AtomicInteger();

  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicBoolean isHealed = new AtomicBoolean();

  private final class Agent implements PeerListener {
    final Messenger messenger;
    final AtomicBoolean stopped = new AtomicBoolean();
    final AtomicBoolean connectorEnded = new AtomicBoolean();
    volatile JGlooException loss;
    volatile long lostAt;
    MessengerState core;

    Agent(int rank, Device device) {
      MessengerOptions options =
          MessengerOptions.builder()
              .startTimeout(Duration.ofMinutes(1))
              .peerTimeout(PEER_TIMEOUT)
              .build();
      messenger = new Messenger("m" + rank, rank, 2, store, options, device);
      messenger.serve(SERVICE, request -> runs.incrementAndGet()); // and never answers
      messenger.listen(this);
    }

    @Override
    public void lost(AgentId peer, JGlooException cause) {
      loss = cause;
      lostAt = messenger.clock().nanoTime();
    }

    /** Runs the body while the agent's threads run. */
    void run(Runnable body) {
      core = messenger.prepare();
      world.fork("connector", this::connect);
      try {
        drive(() -> messenger.agent(0).isPresent() && messenger.agent(1).isPresent());
        body.run();
        done.incrementAndGet();
        drive(() -> done.get() == 2);
      } finally {
        stopped.set(true);
        world.await(connectorEnded::get, Duration.ofSeconds(60));
        messenger.close();
      }
    }

    private void connect() {
      try {
        while (!stopped.get()) {
          messenger.directory().round();
          world.sleep(Duration.ofMillis(20));
        }
      } finally {
        connectorEnded.set(true);
      }
    }

    void drive(CompletionQueue.Condition condition) {
      while (!condition.isMet()) {
        long now = messenger.clock().nanoTime();
        long timer = core.links.nextTimer();
        messenger.await(condition, timer - now > MILLI ? timer : now + MILLI);
        core.events.poke();
      }
    }

    Outcome request() {
      Outcome outcome = new Outcome();
      long deadline = messenger.clock().nanoTime() + 60_000 * MILLI;
      AgentId to = messenger.agent(1).orElseThrow();
      Message message = Message.of(new byte[8]);
      messenger.request(to, SERVICE, message, Priority.NORMAL, deadline, outcome);
      return outcome;
    }

    private void awaitOthers() {
      messenger.directory().awaitOthers();
    }

    private void startWhileCutOff() {
      world.faults().cut(0, 1);
      world.faults().reset(0, 1);
      long end = messenger.clock().nanoTime() + 3 * PEER_TIMEOUT.toNanos();
      drive(() -> messenger.clock().nanoTime() - end >= 0);
      world.faults().heal(0, 1);
      isHealed.set(true);
      startAfterCut();
    }

    private void startAfterCut() {
      drive(() -> isHealed.get() || loss != null);
      assertNull(loss);
      awaitOthers();
      assertNull(loss);
    }

    private void startAndBeCutOff() {
      awaitOthers();
      drive(() -> loss != null);
    }

    private void callWhileCutOff() {
      awaitOthers();
      Outcome sent = request();
      drive(() -> runs.get() == 1);
      long cutAt = messenger.clock().nanoTime();
      world.faults().cut(0, 1);
      world.faults().reset(0, 1);
      drive(() -> !core.peers.get(1).isConnected);
      Outcome waiting = request();
      drive(() -> loss != null);
      long after = (lostAt - cutAt) / MILLI;
      assertTrue(after >= 2000 && after < 5000, "lost after " + after + " ms");
      assertTrue(loss.getMessage().contains("was not reached for PT2S"), loss::getMessage);
      assertInstanceOf(OutcomeUnknownException.class, failure(sent));
      assertInstanceOf(NotExecutedException.class, failure(waiting));
      world.faults().heal(0, 1);
    }

    private JGlooException failure(Outcome outcome) {
      drive(outcome::isDone);
      try {
        return outcome.failure();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void unreachedAgent_isLostAtThePeerTimeout_andCallsToItEnd() {
    try (world) {
      world.run(
          (rank, device) -> {
            Agent agent = new Agent(rank, device);
            agent.run(rank == 0 ? agent::callWhileCutOff : agent::startAndBeCutOff);
          });
    }
    assertEquals(1, runs.get(), "the request that was not sent has not run");
    store.close();
  }

  @Test
  void agentThatIsNotReachedForLongInTheStart_isNotLost() {
    try (world) {
      world.run(
          (rank, device) -> {
            Agent agent = new Agent(rank, device);
            agent.run(rank == 0 ? agent::startWhileCutOff : agent::startAfterCut);
          });
    }
    store.close();
  }
}

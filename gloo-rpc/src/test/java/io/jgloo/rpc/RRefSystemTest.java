package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.rref.protocol.RRefTables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents in processes of their own that are killed with SIGKILL; agent 0 is here. */
@Timeout(100)
final class RRefSystemTest {

  private static final int SIZE = 3;

  private final TcpStore store = Stores.serve("127.0.0.1", 0, Agents.PATIENCE);
  private final List<ChildJvm> children = new ArrayList<>();
  private RpcAgent agent;

  @BeforeEach
  void start() throws Exception {
    for (int rank = 1; rank < SIZE; rank++) {
      children.add(RpcProcess.start(rank, SIZE, store.port()));
    }
    agent =
        RpcAgent.start(
            "a0",
            0,
            SIZE,
            store,
            Agents.options().functions(RpcProcess.references(new ArrayList<>())).build());
  }

  @AfterEach
  void end() {
    if (agent != null) {
      agent.close();
    }
    children.forEach(ChildJvm::close);
    store.close();
  }

  private void kill(int rank) {
    children.get(rank - 1).close();
  }

  private static void report(String what, long begin) {
    System.out.println(what + " after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
  }

  private static void assertOwnerLost(org.junit.jupiter.api.function.Executable read) {
    RRefException lost = assertThrows(RRefException.class, read);
    assertEquals(RRefException.Reason.OWNER_LOST, lost.reason(), lost::getMessage);
  }

  @Test
  void rr20_killedOwner_failsFetchesAndHandlesClose() throws Exception {
    AgentId owner = agent.peer("a1");
    RRef<Long> ready = agent.rrefs().remote(owner, RpcProcess.TWICE, 4L);
    assertEquals(8, ready.toHere());
    assertEquals(8, agent.rpcSync(agent.peer("a2"), RpcProcess.KEEP, ready));
    RRef<Long> pending = agent.rrefs().remote(owner, RpcProcess.HANG, 4L);
    pending.confirmed().get(30, TimeUnit.SECONDS);
    CompletableFuture<Long> fetch = CompletableFuture.supplyAsync(pending::toHere);
    Agents.await("the fetch is sent", () -> agent.rrefs().counts().get("fetches") == 1);
    long begin = System.nanoTime();
    kill(1);
    ExecutionException ended =
        assertThrows(ExecutionException.class, () -> fetch.get(30, TimeUnit.SECONDS));
    report("RR20: a fetch that waits fails", begin);
    assertOwnerLost(
        () -> {
          throw ended.getCause();
        });
    assertOwnerLost(ready::toHere);
    assertOwnerLost(() -> agent.rpcSync(agent.peer("a2"), RpcProcess.KEEP, ready));
    ready.close();
    pending.close();
    Agents.await("nothing is left", () -> agent.rrefs().tables().read(RRefTables::isQuiet));
  }

  @Test
  void rr19_killedUser_losesItsForks() throws Exception {
    RRef<Long> own = agent.rrefs().of(7L, Codecs.LONG);
    AgentId user = agent.peer("a1");
    assertEquals(7, agent.rpcSync(user, RpcProcess.KEEP, own));
    assertEquals(7, agent.rpcSync(agent.peer("a2"), RpcProcess.KEEP, own));
    own.close();
    CompletableFuture<Long> call = agent.rpcAsync(user, RpcProcess.HANG, 1L);
    assertEquals(2L, agent.rrefs().counts().get("forks"));
    long begin = System.nanoTime();
    kill(1);
    assertThrows(ExecutionException.class, () -> call.get(30, TimeUnit.SECONDS));
    report("RR19: a call to it fails", begin);
    Agents.await("its fork is gone", () -> agent.rrefs().counts().get("forks") == 1);
    report("RR19: its forks are gone", begin);
    assertEquals(1L, agent.rrefs().counts().get("owners"), "the other user lives");
    kill(2);
    Agents.await("nothing is left", () -> agent.rrefs().tables().read(RRefTables::isQuiet));
    Agents.await("1 values are dropped", () -> agent.rrefs().counts().get("dropped") == 1);
  }
}

package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.transport.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users type first: stubs, methods of remote objects, functions of several arguments. */
@Timeout(60)
final class RpcApiTest {

  enum Color {
    RED,
    GREEN
  }

  record Item(String name, List<Integer> counts, Optional<Color> color) {}

  interface Calc {
    int add(int a, int b);

    Item paint(Item item, Color color);

    Map<String, Set<Long>> index(List<String> names);

    CompletableFuture<Double> mean(double[] values);

    void fail(String message);

    long ping();
  }

  private static final class CalcService implements Calc {
    @Override
    public int add(int a, int b) {
      return a + b;
    }

    @Override
    public Item paint(Item item, Color color) {
      return new Item(item.name, item.counts, Optional.of(color));
    }

    @Override
    public Map<String, Set<Long>> index(List<String> names) {
      return Map.of(names.get(0), Set.of(7L));
    }

    @Override
    public CompletableFuture<Double> mean(double[] values) {
      return CompletableFuture.supplyAsync(() -> (values[0] + values[1]) / 2);
    }

    @Override
    public void fail(String message) {
      throw new IllegalArgumentException(message);
    }

    @Override
    public long ping() {
      return 1;
    }
  }

  interface Counter {
    int add(int more);
  }

  private static final Codec<Counter> COUNTER = Codecs.local(Counter.class);
  private static final RpcFunction<Integer, Counter> NEW =
      new RpcFunction<>("counter.new", Codecs.INT, COUNTER);
  private static final RpcMethod<Counter, Integer, Integer> ADD =
      new RpcMethod<>("counter.add", COUNTER, Codecs.INT, Codecs.INT);

  private static final RpcFunction.Of0<Integer> ZERO = RpcFunction.of("zero", Codecs.INT);
  private static final RpcFunction<Integer, Integer> ONE =
      RpcFunction.of("one", Codecs.INT, Codecs.INT);
  private static final RpcFunction.Of2<Integer, String, String> TWO =
      RpcFunction.of("two", Codecs.INT, Codecs.STRING, Codecs.STRING);
  private static final RpcFunction.Of3<Integer, Integer, Integer, Integer> THREE =
      RpcFunction.of("three", Codecs.INT, Codecs.INT, Codecs.INT, Codecs.INT);
  private static final RpcFunction<Integer, Void> FAIL =
      RpcFunction.of("fail", Codecs.INT, Codecs.NOTHING);

  private static final RpcFunction<Double, Double> UPDATE =
      RpcFunction.of("update", Codecs.DOUBLE, Codecs.DOUBLE);

  private static RpcRegistry functions() {
    return new RpcRegistry()
        .register(ZERO, () -> 5)
        .register(ONE, x -> x + 1)
        .register(TWO, (x, text) -> text + x)
        .register(THREE, (x, y, z) -> x * y * z)
        .register(FAIL, RpcApiTest::fail)
        .register(NEW, start -> new AtomicInteger(start)::addAndGet)
        .register(ADD, Counter::add)
        .objects(Counter.class);
  }

  private static Agents agents(RpcRegistry at1) throws Exception {
    return new Agents(
        rank ->
            Agents.options()
                .functions(rank == 1 ? at1 : new RpcRegistry())
                .rethrown(IllegalArgumentException.class, Coded.class)
                .build(),
        2);
  }

  @Test
  void functionsOfNoneToThreeArguments() throws Exception {
    try (Agents agents = agents(functions())) {
      RpcAgent agent = agents.agent(0);
      assertEquals(5, agent.rpcSync("a1", ZERO.call()));
      assertEquals(6, agent.rpcSync("a1", ONE.call(5)));
      assertEquals("n3", agent.rpcSync("a1", TWO.call(3, "n")));
      assertEquals(24, agent.rpcAsync("a1", THREE.call(2, 3, 4)).get(50, TimeUnit.SECONDS));
      try (RRef<String> text = agent.remote("a1", TWO.call(4, "m"))) {
        assertEquals("m4", text.toHere());
        assertEquals(Optional.of("a1"), text.ownerName());
        IllegalStateException far = assertThrows(IllegalStateException.class, text::localValue);
        assertTrue(far.getMessage().contains("toHere"), far::getMessage);
      }
    }
  }

  /** An exception without a constructor that takes a message alone. */
  @SuppressWarnings("serial") // thrown by a body only
  private static final class Coded extends RuntimeException {
    Coded(int code) {
      super("code " + code);
    }
  }

  private static Void fail(int code) {
    throw switch (code) {
      case 0 -> new IllegalArgumentException("code 0");
      case 1 -> new IllegalStateException("code 1");
      default -> new Coded(code);
    };
  }

  @Test
  void listedException_isThrownByItsOwnClass() throws Exception {
    try (Agents agents = agents(functions())) {
      RpcAgent agent = agents.agent(0);
      List<Throwable> thrown = new ArrayList<>();
      thrown.add(
          assertThrows(IllegalArgumentException.class, () -> agent.rpcSync("a1", FAIL.call(0))));
      thrown.add(
          assertThrows(
                  ExecutionException.class,
                  () -> agent.rpcAsync("a1", FAIL.call(0)).get(50, TimeUnit.SECONDS))
              .getCause());
      try (RRef<Void> failed = agent.remote("a1", FAIL.call(0))) {
        thrown.add(assertThrows(IllegalArgumentException.class, failed::toHere));
      }
      for (Throwable own : thrown) {
        assertInstanceOf(IllegalArgumentException.class, own);
        assertEquals("code 0", own.getMessage());
        RemoteCallException cause = assertInstanceOf(RemoteCallException.class, own.getCause());
        assertTrue(cause.remoteStack().contains("RpcApiTest.fail"), cause::remoteStack);
      }
    }
  }

  @Test
  void exceptionThatIsNotListed_orHasNoSuchConstructor_isARemoteCallException() throws Exception {
    try (Agents agents = agents(functions())) {
      for (int code = 1; code <= 2; code++) {
        var call = FAIL.call(code);
        RemoteCallException thrown =
            assertThrows(RemoteCallException.class, () -> agents.agent(0).rpcSync("a1", call));
        assertEquals("code " + code, thrown.remoteMessage());
      }
    }
  }

  @Test
  void stubOfAnInterface_callsTheService() throws Exception {
    try (Agents agents = agents(new RpcRegistry().service(Calc.class, new CalcService()))) {
      Calc calc = agents.agent(0).stub(Calc.class, "a1");
      assertEquals(5, calc.add(2, 3));
      assertEquals(1, calc.ping());
      Item item = new Item("cup", List.of(1, 2), Optional.empty());
      assertEquals(
          new Item("cup", List.of(1, 2), Optional.of(Color.GREEN)), calc.paint(item, Color.GREEN));
      assertEquals(Map.of("x", Set.of(7L)), calc.index(List.of("x")));
      assertEquals(2.5, calc.mean(new double[] {2, 3}).get(50, TimeUnit.SECONDS));
      IllegalArgumentException thrown =
          assertThrows(IllegalArgumentException.class, () -> calc.fail("no"));
      assertEquals("no", thrown.getMessage());
      RemoteCallException cause = assertInstanceOf(RemoteCallException.class, thrown.getCause());
      assertEquals("java.lang.IllegalArgumentException", cause.remoteType());
      assertTrue(calc.toString().startsWith("Calc of agent 1#"), calc::toString);
      assertEquals(calc, calc);
      assertNotEquals(calc, agents.agent(0).stub(Calc.class, "a1"));
    }
  }

  @Test
  void methodsOfARemoteObject() throws Exception {
    try (Agents agents = agents(functions())) {
      try (RRef<Counter> counter = agents.agent(0).remote("a1", NEW, 40)) {
        assertEquals(42, counter.rpcSync(ADD, 2));
        assertEquals(43, counter.rpcAsync(ADD, 1).get(50, TimeUnit.SECONDS));
        try (RRef<Integer> sum = counter.remote(ADD, 7)) {
          assertEquals(50, sum.toHere());
        }
        assertEquals(51, agents.agent(0).stub(Counter.class, counter).add(1));
        IllegalArgumentException stays =
            assertThrows(IllegalArgumentException.class, counter::toHere);
        assertTrue(stays.getMessage().contains("stays at its owner"), stays::getMessage);
      }
      Counter none = agents.agent(0).stub(Counter.class, "a1");
      RemoteCallException absent = assertThrows(RemoteCallException.class, () -> none.add(1));
      assertTrue(absent.getMessage().contains("no service"), absent::getMessage);
    }
  }

  @Test
  @SuppressWarnings("UnusedMethod") // refused before anything calls them
  void interfacesThatCannotBeStubs_areRefused() {
    interface Overloaded {
      void put(int value);

      void put(String value);
    }
    interface Unknown {
      void put(Thread thread);
    }
    RpcRegistry registry = new RpcRegistry();
    assertThrows(IllegalArgumentException.class, () -> registry.objects(Overloaded.class));
    assertThrows(IllegalArgumentException.class, () -> registry.objects(Unknown.class));
    assertThrows(IllegalArgumentException.class, () -> registry.objects(String.class));
  }

  /** A parameter server that answers when all of a batch have come, with two workers. */
  @Test
  void bodiesThatReturnFutures_holdNoWorker() throws Exception {
    int callers = 80;
    List<Double> gradients = new ArrayList<>();
    CompletableFuture<Double> updated = new CompletableFuture<>();
    RpcRegistry functions =
        new RpcRegistry()
            .registerAsync(
                UPDATE,
                (context, gradient) -> {
                  synchronized (gradients) {
                    gradients.add(gradient);
                    if (gradients.size() == callers) {
                      updated.complete(gradients.stream().mapToDouble(x -> x).sum());
                    }
                  }
                  return updated;
                });
    try (Agents agents =
        new Agents(rank -> Agents.options().functions(functions).workers(2).build(), 2)) {
      List<CompletableFuture<Double>> calls = new ArrayList<>();
      for (int i = 0; i < callers / 2; i++) {
        calls.add(agents.agent(0).rpcAsync("a1", UPDATE, 1.0));
      }
      List<RRef<Double>> refs = new ArrayList<>();
      for (int i = 0; i < callers / 2; i++) {
        refs.add(agents.agent(0).remote("a1", UPDATE, 1.0));
      }
      for (CompletableFuture<Double> call : calls) {
        assertEquals(80.0, call.get(50, TimeUnit.SECONDS));
      }
      for (RRef<Double> ref : refs) {
        assertEquals(80.0, ref.toHere());
        ref.close();
      }
    }
  }

  @Test
  void zeroTimeout_isNoLimit() throws Exception {
    try (Agents agents = agents(functions())) {
      RpcAgent agent = agents.agent(0);
      assertEquals(3, agent.rpcSync(agent.peer("a1"), ONE, 2, Duration.ZERO));
      try (RRef<Integer> ref = agent.rrefs().remote(agent.peer("a1"), ONE, 2, Duration.ZERO)) {
        assertEquals(3, ref.toHere(Duration.ZERO));
      }
      assertThrows(
          IllegalArgumentException.class,
          () -> agent.rpcSync(agent.self(), ONE, 2, Duration.ofSeconds(-1)));
    }
  }

  @Test
  void environmentOfALauncher_startsAnAgent() throws Exception {
    try (TcpStore store = Stores.serve("127.0.0.1", 0, Duration.ofSeconds(50))) {
      List<CompletableFuture<String>> agents = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        Map<String, String> variables =
            Map.of(
                "RANK", "" + rank,
                "WORLD_SIZE", "2",
                "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", "" + store.port(),
                "TORCHELASTIC_USE_AGENT_STORE", "True");
        agents.add(
            Agents.later(
                () -> {
                  try (RpcAgent agent =
                      RpcAgent.fromEnvironment(
                          variables, Agents.options().functions(functions()).build())) {
                    assertEquals(6, agent.rpcSync("worker" + (1 - agent.rank()), ONE, 5));
                    assertTrue(agent.shutdown());
                    return agent.name();
                  }
                }));
      }
      assertEquals("worker0", agents.get(0).get(50, TimeUnit.SECONDS));
      assertEquals("worker1", agents.get(1).get(50, TimeUnit.SECONDS));
    }
  }

  @Test
  void listOfElementsWithoutBytes_isBounded() {
    MessageReader in = new MessageReader(new MessageWriter(8).putInt(Integer.MAX_VALUE).message());
    ProtocolException bomb =
        assertThrows(ProtocolException.class, () -> Codecs.list(Codecs.NOTHING).read(in));
    assertTrue(bomb.getMessage().contains("elements without bytes"), bomb::getMessage);
  }
}

package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message;
import io.jgloo.rpc.rref.protocol.RRefTables;
import io.jgloo.rpc.rref.protocol.User;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.NullUnmarked;

/**
 * The view of an agent's references from outside: counts, entries, leaks, messages in a flight
 * recording.
 *
 * <p><i>Threads</i>: any.
 */
final class Observations {

  /** Event: a message of the protocol is sent, or a call with references has arrived. */
  @Name("io.jgloo.rpc.RRefMessage")
  @Label("Remote Reference Message")
  @Category({"JGloo", "RRef"})
  @StackTrace(false)
  @Enabled(false)
  @NullUnmarked // it is filled in before it is committed
  static final class Traced extends Event {
    @Label("From")
    String from;

    @Label("To")
    String to;

    @Label("Message")
    String message;

    @Label("Fork")
    String fork;
  }

  private static final Logger LOG = System.getLogger(Observations.class.getName());
  private static final int MOST_LEAKS = 1000;
  private static final int MOST_WARNINGS = 10;

  private final RRefs refs;
  private long warningSecond;
  private int warnings;
  private final LongAdder rejections = new LongAdder();
  private final LongAdder leaks = new LongAdder();
  private final LongAdder drops = new LongAdder();
  private final LongAdder collections = new LongAdder();
  private final ArrayDeque<String> lastLeaks = new ArrayDeque<>();

  Observations(RRefs refs) {
    this.refs = refs;
  }

  Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>(refs.tables().read(Observations::counts));
    counts.put("creations", (long) refs.creations.size());
    counts.put("fetches", (long) refs.fetches.size());
    counts.put("parkedFetches", (long) refs.fetches.parkedSize());
    counts.put("dropped", drops.sum());
    counts.put("rejected", rejections.sum());
    counts.put("leaked", leaks.sum());
    counts.put("collected", collections.sum());
    return counts;
  }

  private static Map<String, Long> counts(RRefTables tables) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("owners", (long) tables.owners().size());
    counts.put("forks", tables.owners().values().stream().mapToLong(o -> o.forks().size()).sum());
    counts.put("users", (long) tables.users().size());
    counts.put(
        "pendingUsers",
        tables.users().values().stream().filter(u -> u.status() == User.Status.PENDING).count());
    counts.put("pendingChildren", (long) tables.children().size());
    counts.put("arrivals", (long) tables.arrivals().size());
    counts.put("outbox", (long) tables.outbox().size());
    counts.put("tombstoneNodes", tables.finishedRanges());
    return counts;
  }

  String dump() {
    StringBuilder text = new StringBuilder("agent " + refs.self() + "\n");
    return refs.tables()
        .read(
            tables -> {
              append(text, "owner", tables.owners());
              append(text, "user", tables.users());
              append(text, "pending child", tables.children());
              append(text, "arrival", tables.arrivals());
              append(text, "request", tables.outbox());
              return text.toString();
            });
  }

  private <K, V> void append(StringBuilder text, String what, Map<K, V> table) {
    table.forEach((key, value) -> text.append(what + " " + key + ": " + value + "\n"));
  }

  synchronized List<String> leaks() {
    return List.copyOf(lastLeaks);
  }

  private synchronized void addLeak(String text) {
    leaks.increment();
    if (lastLeaks.size() == MOST_LEAKS) {
      lastLeaks.poll();
    }
    lastLeaks.add(text);
    warn("agent {0}: {1}", refs.self(), text);
  }

  /** Logs at most so many warnings a second: a peer may cause any number of them. */
  private synchronized void warn(String format, Object... values) {
    long second = System.nanoTime() / 1_000_000_000;
    warnings = second == warningSecond ? warnings + 1 : 1;
    warningSecond = second;
    if (warnings <= MOST_WARNINGS) {
      LOG.log(Level.WARNING, format, values);
    } else if (warnings == MOST_WARNINGS + 1) {
      LOG.log(Level.WARNING, "further warnings of this second are not logged; see counts()");
    }
  }

  /** A handle was open when the agent was shut down. */
  void open(Object handle) {
    addLeak("the handle of " + handle + " was open at the shutdown");
  }

  /** The collector has found a handle that was not closed. */
  void collected() {
    collections.increment();
  }

  void rejected(AgentId from, String why) {
    rejections.increment();
    warn("agent {0} rejects a message of {1}: {2}", refs.self(), from, why);
  }

  void traced(AgentId to, Message message) {
    Traced event = new Traced();
    if (event.isEnabled()) {
      commit(event, refs.self(), to, message.name(), message.fork());
    }
  }

  /** A call or result with a fork has arrived. */
  void arrived(AgentId from, ForkId fork) {
    Traced event = new Traced();
    if (event.isEnabled()) {
      commit(event, from, refs.self(), "CALL", fork);
    }
  }

  private static void commit(Traced event, AgentId from, AgentId to, String message, ForkId fork) {
    event.from = from.toString();
    event.to = to.toString();
    event.message = message;
    event.fork = String.valueOf(fork);
    event.commit();
  }

  void dropped() {
    drops.increment();
  }
}

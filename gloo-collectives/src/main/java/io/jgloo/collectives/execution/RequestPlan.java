package io.jgloo.collectives.execution;

import io.jgloo.collectives.Schedule.Kind;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Request;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A plan whose messages are requests, one made for each.
 *
 * <p>Both rules of a schedule are one counter here: it falls when a predecessor completes and when
 * the message before in the same direction has been issued, and at zero the operation is issued.
 */
final class RequestPlan extends Plan {

  /** Bytes of a computation with which what is posted already does not wait: about a write. */
  private static final long LONG_BYTES = 16 << 10;

  private final CompletionQueue queue;
  private final Pair[] partners; // of the messages
  private final Pair[] receivers;
  private final Request[] requests;
  private final int[] issueNext; // in the schedule in less memory, as are the next two
  private final int[][] successors;
  private final int[] blockers;
  private final int[] roots;
  private final int[] waiting;
  private final int[] ready;
  private long slot;
  private long low;
  private int readyHead;
  private int readyTail;
  private int remaining;
  private int outstanding;
  private int messagesDone;
  private boolean stopped;

  RequestPlan(
      PlanFamily family,
      Executor executor,
      Driver driver,
      Mesh mesh,
      CompletionQueue queue,
      Pair[] pairs) {
    super(family, executor, driver, space -> new Operand(family, space, driver.pool(), mesh));
    this.queue = queue;
    partners = new Pair[kinds.length];
    requests = new Request[kinds.length];
    issueNext = new int[kinds.length];
    successors = new int[kinds.length][];
    blockers = new int[kinds.length];
    waiting = new int[kinds.length];
    ready = new int[kinds.length];
    for (int op = 0; op < kinds.length; op++) {
      if (kinds[op].isMessage()) {
        partners[op] = pairs[peerOf[op]];
        requests[op] = queue.newRequest().attach(this);
      }
      int earlier = op;
      issueNext[op] = schedule.issueNext(op);
      successors[op] =
          IntStream.range(0, schedule.successors(op))
              .map(i -> schedule.successor(earlier, i))
              .toArray();
      blockers[op] = schedule.indegree(op) + (schedule.issueWaits(op) ? 1 : 0);
    }
    roots = IntStream.range(0, kinds.length).filter(op -> blockers[op] == 0).toArray();
    receivers =
        IntStream.range(0, kinds.length)
            .filter(op -> kinds[op] == Kind.SEND)
            .mapToObj(op -> partners[op])
            .distinct()
            .toArray(Pair[]::new);
  }

  @Override
  void bindOperands(Call call) {
    boolean arrays = family.mayWorkOnArrays() && sendsArrays();
    input.bind(call.input(), arrays);
    output.bind(call.output(), arrays);
    scratch.bindScratch();
  }

  private boolean sendsArrays() {
    for (Pair receiver : receivers) {
      if (!receiver.sendsArrays()) {
        return false;
      }
    }
    return true;
  }

  @Override
  void begin() {
    slot = slot();
    low = family.low(past());
    driver.log(sequence(), family.high(), low);
    System.arraycopy(blockers, 0, waiting, 0, waiting.length);
    System.arraycopy(roots, 0, ready, 0, roots.length);
    readyHead = 0;
    readyTail = roots.length;
    remaining = waiting.length;
    outstanding = 0;
    messagesDone = 0;
    stopped = false;
    input.prepare();
    output.prepare();
    issueReady();
    endIfOver();
  }

  @Override
  void advance(Request request) {
    outstanding--;
    JGlooException cause = request.failure();
    if (cause != null) {
      stopped = true;
      driver.requestFailed(this, cause);
    } else if (!stopped) {
      messagesDone++;
      done(request.index());
      issueReady();
    }
    endIfOver();
  }

  @Override
  void stop() {
    stopped = true;
    endIfOver();
  }

  private void endIfOver() {
    if (remaining == 0 && !stopped) {
      stopIfClosed();
    }
    if (outstanding == 0 && (remaining == 0 || stopped) && !ended()) {
      if (!stopped) {
        output.complete();
      }
      end(stopped ? driver.cause() : null);
    }
  }

  /** No request may have been left to fail: its last operation was a long reduction maybe. */
  private void stopIfClosed() {
    if (driver.isClosed()) {
      stopped = true;
      driver.requestFailed(this, new ClosedException("group " + driver.group() + " was closed"));
    }
  }

  private void issueReady() {
    while (readyHead < readyTail) {
      issue(ready[readyHead++]);
    }
  }

  private void issue(int op) {
    Kind kind = kinds[op];
    boolean overwrites =
        kind == Kind.RECV || kind == Kind.COPY || (kind != Kind.SEND && targets[op].isMirrored());
    if (kind == Kind.SEND && targets[op].isMirrored()) {
      letOthersGo(op);
    }
    targets[op].before(offsets[op], lengths[op], overwrites);
    if (requests[op] != null) {
      post(op, kind);
      if (issueNext[op] >= 0) {
        unblock(issueNext[op]);
      }
    } else {
      letOthersGo(op);
      compute(op);
      sources[op].after(sourceOffsets[op], lengths[op]);
      done(op);
    }
  }

  private void post(int op, Kind kind) {
    Request request = requests[op];
    request.message(slot, targets[op].window(), offsets[op], lengths[op]);
    request.fingerprint(family.high(), low).index(op);
    Pair pair = partners[op];
    if (kind == Kind.SEND) {
      pair.send(request);
    } else {
      request.reducing(targets[op].writer(op, kernels[op]));
      pair.recv(request);
    }
    outstanding++;
  }

  /** Before work that takes long, what is posted is written and what has arrived is read. */
  private void letOthersGo(int op) {
    if (lengths[op] >= LONG_BYTES) {
      queue.flush();
      queue.collect();
    }
  }

  private void done(int op) {
    remaining--;
    targets[op].after(offsets[op], lengths[op]);
    for (int successor : successors[op]) {
      unblock(successor);
    }
  }

  private void unblock(int op) {
    if (--waiting[op] == 0) {
      ready[readyTail++] = op;
    }
  }

  @Override
  long cell(int op) {
    return 0;
  }

  @Override
  int step() {
    return messagesDone;
  }

  @Override
  List<Integer> missingPeers() {
    return peersOf(Request.State.POSTED);
  }

  @Override
  List<Integer> missedPeers() {
    return peersOf(Request.State.FAILED);
  }

  private List<Integer> peersOf(Request.State state) {
    List<Integer> silent = peersOf(state, false);
    return silent.isEmpty() ? peersOf(state, true) : silent;
  }

  private List<Integer> peersOf(Request.State state, boolean sends) {
    TreeSet<Integer> peers = new TreeSet<>();
    for (int op = 0; op < requests.length; op++) {
      boolean counts = requests[op] != null && requests[op].state() == state;
      if (counts && (kinds[op] == Kind.SEND) == sends) {
        peers.add(peerOf[op]);
      }
    }
    return List.copyOf(peers);
  }

  @Override
  void recycle() {
    executor.give(this);
  }
}

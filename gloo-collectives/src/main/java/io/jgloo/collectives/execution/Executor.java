package io.jgloo.collectives.execution;

import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.kernel.Arithmetic;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.capability.Cells;
import java.util.Arrays;
import java.util.Optional;

/**
 * Runs schedules on a mesh: one executor for a group, any number of calls in progress.
 *
 * <p>A blocking call is a start and a wait in which the calling thread moves the bytes itself (see
 * {@link Driver}); no other thread is involved.
 *
 * <p>Calls are numbered in the order in which they are made, and from the number comes the slot of
 * their messages (see {@link Dialect}); so all ranks must make the same calls in the same order.
 *
 * <p><em>Threads</em>: any. <em>Owns</em>: its queue's requests, staging memory and thread, not the
 * mesh. <em>Fails</em>: the first failure ends the group here and, through the mesh, at all ranks.
 * When a failed call returns, nothing touches its memory any more.
 */
public final class Executor implements AutoCloseable {

  /** Bound on kinds of calls remembered. */
  static final int FAMILIES = 64;

  /** Bound on operations of the plans remembered, some 300 bytes each. */
  private static final int OPERATIONS = 1 << 17;

  private final Mesh mesh;
  private final CostModel costs;
  private final Dialect dialect;
  private final Layout layout;
  private final CompletionQueue queue;
  private final Pair[] pairs;
  private final Driver driver;
  private final Arithmetic arithmetic;
  private final CellBoard board; // null if there are no cells
  private final Mailbox mailbox;
  private final MonitoredBarrier monitoredBarrier;
  private final PlanFamily[] families = new PlanFamily[FAMILIES]; // most recently used first
  private int familyCount;
  private long operations; // of all families

  /**
   * @param mesh connected; its collective slots are used by this executor only
   * @param arithmetic makes the kernels for reductions
   * @param costs by which algorithms are chosen, the same at all ranks
   * @param dialect of this group alone
   */
  public Executor(Mesh mesh, Arithmetic arithmetic, CostModel costs, Dialect dialect) {
    this.mesh = mesh;
    this.arithmetic = arithmetic;
    this.costs = costs;
    this.dialect = dialect;
    queue = mesh.newQueue();
    pairs = new Pair[mesh.membership().size()];
    for (int peer = 0; peer < pairs.length; peer++) {
      pairs[peer] = peer == mesh.membership().rank() ? null : mesh.pair(peer);
    }
    driver = new Driver(mesh, queue);
    layout = mesh.wire().isGloo() ? Layout.oneNode(pairs.length) : Layout.of(mesh.hosts());
    board =
        dialect.fingerprints()
            ? mesh.capability(Cells.class)
                .map(all -> new CellBoard(all, mesh, driver, queue, this))
                .orElse(null)
            : null;
    driver.cells(board);
    mailbox = new Mailbox(driver, mesh, queue, pairs, dialect.fingerprints());
    monitoredBarrier =
        dialect.monitoredBarrier(
            driver, mailbox, mesh.membership().rank(), mesh.membership().size());
  }

  /**
   * Makes a call and waits for its end.
   *
   * @throws IllegalArgumentException if there is no such algorithm or reduction
   * @throws JGlooException if the group has failed or is closed, or does now
   */
  public void run(Call call) {
    if (board == null || !board.run(call)) {
      driver.run(plan(call, true), call.timeoutNanos());
    }
  }

  /** Starts a call that goes on by itself; otherwise as {@link #run}. */
  public Pending start(Call call) {
    return driver.start(plan(call, false), call.timeoutNanos());
  }

  private Plan plan(Call call, boolean blocking) {
    driver.check();
    if (board != null) {
      try {
        board.decide(call.timeoutNanos(), blocking);
      } catch (JGlooException e) { // the other ranks make the call, this one does not
        driver.recordFailure(e, e);
        mesh.abort(e);
        throw e;
      }
    }
    Plan plan = idle(call);
    if (plan == null) {
      PlanFamily family = family(call);
      plan =
          family.usesCells()
              ? new CellPlan(family, this, driver, board, false)
              : new RequestPlan(family, this, driver, mesh, queue, pairs);
    }
    plan.bind(call);
    return plan;
  }

  // Plans that have been made. A training loop repeats a handful of shapes: the family of the call
  // before is found by one comparison, where a hash map would need a key object for each call.

  /** An idle plan for the call, or null. */
  private synchronized Plan idle(Call call) {
    PlanFamily family = find(call);
    return family == null ? null : family.take();
  }

  /** Takes back a plan that is idle again. */
  synchronized void give(Plan plan) {
    plan.family.give(plan);
  }

  /**
   * What the plans for the call have in common.
   *
   * @throws IllegalArgumentException if there is no such algorithm or reduction
   */
  synchronized PlanFamily family(Call call) {
    PlanFamily family = find(call);
    if (family == null) {
      int rank = mesh.membership().rank();
      family = new PlanFamily(call, rank, layout, arithmetic, costs, dialect, usesCells());
      add(family);
    }
    return family;
  }

  /** Whether plans are on cells where they fit: once it is known that all ranks do that. */
  private boolean usesCells() {
    return board != null && board.isUsed();
  }

  /** The family that serves the call, moved to the front; or null. */
  private PlanFamily find(Call call) {
    for (int i = 0; i < familyCount; i++) {
      PlanFamily family = families[i];
      if (family.serves(call)) {
        if (i > 0) {
          System.arraycopy(families, 0, families, 1, i);
          families[0] = family;
        }
        return family;
      }
    }
    return null;
  }

  /** Puts a new family in front and forgets the oldest ones beyond the bounds. */
  private void add(PlanFamily family) {
    operations += family.schedule().operations();
    while (familyCount == FAMILIES || (familyCount > 0 && operations > OPERATIONS)) {
      familyCount--;
      operations -= families[familyCount].schedule().operations();
      families[familyCount] = null;
    }
    System.arraycopy(families, 0, families, 1, familyCount);
    families[0] = family;
    familyCount++;
  }

  private synchronized void forgetPlans() {
    Arrays.fill(families, null);
    familyCount = 0;
    operations = 0;
  }

  /**
   * Name of the algorithm a call would be done by.
   *
   * @throws io.jgloo.transport.OperationTimeoutException if it is not known yet, as not all ranks
   *     are connected; the group lives on
   */
  public String algorithm(Call call) {
    decide(call);
    return PlanFamily.algorithm(call, layout, costs, dialect, usesCells()).name();
  }

  /** That name and why it is chosen, in words. */
  public String explanation(Call call) {
    decide(call);
    return PlanFamily.explanation(call, layout, costs, dialect, usesCells());
  }

  private void decide(Call call) {
    if (board != null) {
      board.decide(call.timeoutNanos(), false);
    }
  }

  /**
   * Waits until all ranks have called this; the group lives on if some do not.
   *
   * @throws io.jgloo.transport.OperationTimeoutException if some have not in time, with all of them
   *     as missing peers
   */
  public void monitoredBarrier(long timeoutNanos) {
    monitoredBarrier.await(timeoutNanos);
  }

  /**
   * Makes progress for the group while it waits for something else, so that the end of a peer is
   * noticed. If the thread is interrupted the group fails, as in a call.
   *
   * @param condition whose change {@link #wakeup} announces
   * @throws JGlooException if the group fails or is closed before the condition is met
   */
  public void await(CompletionQueue.Condition condition) {
    try {
      queue.await(
          () -> condition.isMet() || mesh.failure().isPresent() || driver.isClosed(),
          Driver::completed,
          driver.nanoTime() + Driver.EVER_NANOS);
    } catch (InterruptedOperationException e) {
      mesh.abort(e);
    }
    Optional<JGlooException> cause = condition.isMet() ? Optional.empty() : mesh.failure();
    if (cause.isPresent()) {
      driver.recordFailure(cause.get(), cause.get());
      throw cause.get();
    }
    if (!condition.isMet()) {
      driver.check();
    }
  }

  /** Lets {@link #await} look at its condition. */
  public void wakeup() {
    queue.wakeup();
  }

  /** What this group's calls are to other ranks. */
  public Dialect dialect() {
    return dialect;
  }

  /** Which ranks share a host. */
  public Layout layout() {
    return layout;
  }

  /** Messages of the application's own. */
  public Mailbox mailbox() {
    return mailbox;
  }

  /** The first failure, with the context of the call that reported it. */
  public Optional<JGlooException> failure() {
    return Optional.ofNullable(driver.reported());
  }

  /** The record of this rank's last calls. */
  public CallDump calls() {
    return new CallDump(mesh, driver);
  }

  /** Is run once, when the group fails: under locks, by any thread; must return soon. */
  public void onFailure(Runnable listener) {
    driver.onFailure(listener);
  }

  /** Fails the group here and at all ranks. */
  public void abort(String reason) {
    AbortedException cause = new AbortedException(mesh.membership().rank(), reason);
    driver.recordFailure(cause, cause);
    mesh.abort(cause);
  }

  /**
   * Refuses new calls, closes the mesh and waits until calls in progress have ended, which takes no
   * longer than closing the mesh. May be called often and from any thread; inside a reduction
   * function it returns at once, and another thread closes.
   */
  @Override
  public void close() {
    if (closesLater(this::close)) {
      return;
    }
    driver.close();
    forgetPlans();
  }

  /**
   * Inside a reduction function, which closing has to wait for, has another thread do it.
   *
   * @return whether the calling thread is inside a reduction function of this group
   */
  public boolean closesLater(Runnable close) {
    boolean inside = driver.functions().holdCurrent();
    if (inside && driver.refuseCalls()) {
      Thread closer = new Thread(close, "gloo-close-" + driver.group());
      closer.setDaemon(true);
      closer.start();
    }
    return inside;
  }
}

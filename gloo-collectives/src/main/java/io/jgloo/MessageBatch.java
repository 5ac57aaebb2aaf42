package io.jgloo;

import io.jgloo.collectives.execution.Mailbox.Posting;
import io.jgloo.transport.JGlooException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Sends and receives that are started together and waited for together.
 *
 * <p>They are named in any order, which may differ between ranks, and none of them waits for
 * another one: all receives are posted before the first send. So ranks cannot deadlock by the order
 * of their batches. Only messages with the same tag between the same two ranks match in the order
 * in which each side names them. A message that one rank sends in a batch may be received by {@link
 * ProcessGroup#recv(Payload, int, long) recv} at the other, and the reverse.
 *
 * <pre>{@code
 * MessageBatch batch = group.batch();
 * for (int peer : neighbours) {
 *   batch.send(border(peer), peer, 1).recv(halo(peer), peer, 1);
 * }
 * for (int step = 0; step < steps; step++) {
 *   batch.run();
 *   compute();
 * }
 * }</pre>
 *
 * <p>A batch may be run any number of times, after the run before has ended. All its messages have
 * one timeout, that of the group or of {@link ProcessGroup#with}. If some are not done by then, an
 * {@link io.jgloo.transport.OperationTimeoutException} names the ranks of all of these. They are
 * withdrawn, and the group remains usable unless a part of one has been sent or received; the other
 * messages have been done.
 *
 * <p><em>Threads</em>: one at a time. <em>Fails</em>: like {@link ProcessGroup#send(Payload, int,
 * long)}, when no message of the batch uses its memory any more.
 */
public final class MessageBatch {

  private final Messages messages;
  private final List<Posting> postings = new ArrayList<>();
  private final List<Payload> vectors = new ArrayList<>();
  private Work latest = Work.DONE;

  MessageBatch(Messages messages) {
    this.messages = messages;
  }

  /**
   * Adds a message to a rank.
   *
   * @param x elements to send; no byte in common with a receive of this batch
   * @param peer rank to send to; to this one only if the batch also receives that message
   * @param tag 0 to 2^56 - 1
   * @return this batch
   * @throws IllegalArgumentException if an argument is null, out of range or overlaps
   */
  public MessageBatch send(Payload x, int peer, long tag) {
    return add(messages.posting(true, x, peer, tag), x);
  }

  /**
   * Adds a message from a rank, of exactly the type and count that it sends.
   *
   * @param x receives the elements; no byte in common with any other vector of this batch
   * @param peer rank to receive from; this one only if the batch also sends that message
   * @param tag as the sender's
   * @return this batch
   * @throws IllegalArgumentException if an argument is null, out of range or overlaps
   */
  public MessageBatch recv(Payload x, int peer, long tag) {
    return add(messages.posting(false, x, peer, tag), x);
  }

  private MessageBatch add(Posting posting, Payload x) {
    for (int each = 0; each < vectors.size(); each++) {
      Posting other = postings.get(each);
      if ((!posting.sends() || !other.sends()) && x.overlaps(vectors.get(each))) {
        throw new IllegalArgumentException(
            name(posting) + " must not overlap memory of " + name(other) + " in the same batch");
      }
    }
    postings.add(posting);
    vectors.add(x);
    return this;
  }

  /**
   * Sends and receives all messages; returns when all memory may be used again, which for a send
   * may be before its peer has received it. Returns at once if there are none.
   *
   * @throws IllegalStateException if an earlier run of this batch has not ended
   * @throws IllegalArgumentException if a message to or from this rank itself has no counterpart of
   *     the same tag, type and count in the batch
   * @throws io.jgloo.transport.OperationTimeoutException if some are not done in time; names their
   *     ranks
   * @throws JGlooException if the group has failed
   */
  public void run() {
    runAsync().await();
  }

  /**
   * Starts {@link #run}.
   *
   * @throws IllegalStateException if an earlier run of this batch has not ended
   * @throws IllegalArgumentException as {@link #run}
   * @throws JGlooException if the group has failed before
   */
  public Work runAsync() {
    if (!latest.isDone()) {
      throw new IllegalStateException(this + " is running: wait for it before running it again");
    }
    copyOwn();
    latest = messages.start(postings.stream().filter(each -> !isOwn(each)).toList());
    return latest;
  }

  private boolean isOwn(Posting posting) {
    return messages.isThisRank(posting.peer());
  }

  /** Copies what this rank sends to itself, after all of it has been found right. */
  private void copyOwn() {
    Map<Long, Queue<Integer>> sends = own(true);
    Map<Long, Queue<Integer>> receives = own(false);
    List<int[]> copies = new ArrayList<>();
    for (int each = 0; each < postings.size(); each++) {
      Posting posting = postings.get(each);
      if (isOwn(posting)) {
        Queue<Integer> others = (posting.sends() ? receives : sends).get(posting.tag());
        Integer other = others == null ? null : others.poll();
        if (other == null || !alike(vectors.get(each), vectors.get(other))) {
          throw new IllegalArgumentException(
              (name(posting) + ", which is this one, of " + vectors.get(each))
                  + " must have a counterpart alike in the same batch, but it has "
                  + (other == null ? "none" : vectors.get(other)));
        }
        if (posting.sends()) {
          copies.add(new int[] {each, other});
        }
      }
    }
    copies.forEach(pair -> vectors.get(pair[0]).copyTo(vectors.get(pair[1])));
  }

  /** The messages of one direction between this rank and itself, by tag, in their order. */
  private Map<Long, Queue<Integer>> own(boolean sends) {
    Map<Long, Queue<Integer>> found = new HashMap<>();
    for (int each = 0; each < postings.size(); each++) {
      Posting posting = postings.get(each);
      if (isOwn(posting) && posting.sends() == sends) {
        found.computeIfAbsent(posting.tag(), tag -> new ArrayDeque<>()).add(each);
      }
    }
    return found;
  }

  private static boolean alike(Payload x, Payload y) {
    return x.type() == y.type() && x.count() == y.count();
  }

  private static String name(Posting posting) {
    return (posting.sends() ? "send to" : "recv from")
        + (" rank " + posting.peer() + " with tag " + posting.tag());
  }

  /** How many messages it has: {@code batch of 3 sends and 2 receives}. */
  @Override
  public String toString() {
    long sends = postings.stream().filter(Posting::sends).count();
    return "batch of " + sends + " sends and " + (postings.size() - sends) + " receives";
  }
}

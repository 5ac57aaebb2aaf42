package io.jgloo.collectives;

/**
 * What an algorithm costs for one shape, counted in messages and bytes; {@link CostModel} makes
 * time of it.
 *
 * @param steps messages on the longest chain in which each depends on the one before
 * @param messages messages sent by the rank that sends most
 * @param bytes bytes sent by the rank that sends most
 * @param pathBytes bytes that pass one after another through the busiest link or port
 * @param reducedBytes bytes whose reduction delays the end, being hidden behind no transfer
 * @param localSteps of the steps, those known to stay inside a host
 * @param localPathBytes of the path bytes, those known to stay inside a host
 * @param queued of the steps that may leave the host, those that depend on nothing but their turn
 *     at the port of a rank
 */
public record Cost(
    long steps,
    long messages,
    long bytes,
    long pathBytes,
    long reducedBytes,
    long localSteps,
    long localPathBytes,
    long queued) {
  /** The cost of doing nothing, as with one rank. */
  public static final Cost NOTHING = new Cost(0, 0, 0, 0, 0);

  /** The cost of messages of which any may leave its host. */
  public Cost(long steps, long messages, long bytes, long pathBytes, long reducedBytes) {
    this(steps, messages, bytes, pathBytes, reducedBytes, 0, 0, 0);
  }

  /** The cost of this and then that. */
  public Cost plus(Cost next) {
    return new Cost(
        steps + next.steps,
        messages + next.messages,
        bytes + next.bytes,
        pathBytes + next.pathBytes,
        reducedBytes + next.reducedBytes,
        localSteps + next.localSteps,
        localPathBytes + next.localPathBytes,
        queued + next.queued);
  }

  /** The cost of the same messages, of whose bytes some are reduced. */
  public Cost reducing(long reduced) {
    return new Cost(steps, messages, bytes, pathBytes, reduced, localSteps, localPathBytes, queued);
  }

  /**
   * The cost of the same messages if all of them stay inside a host. There none is queued: the
   * processors of the host do what both ends have to do for a message, one message after another.
   */
  public Cost inside() {
    return new Cost(steps, messages, bytes, pathBytes, reducedBytes, steps, pathBytes, 0);
  }

  /** The cost of the same messages, of which so many of each chain wait for their turn only. */
  public Cost queueing(long some) {
    return new Cost(
        steps, messages, bytes, pathBytes, reducedBytes, localSteps, localPathBytes, some);
  }

  /** The cost of as much at each of {@code ranks} ranks of a host, which share its link. */
  public Cost sharingLink(int ranks) {
    long path = ranks * (pathBytes - localPathBytes) + localPathBytes;
    return new Cost(steps, messages, bytes, path, reducedBytes, localSteps, localPathBytes, queued);
  }
}

package io.jgloo.collectives;

/**
 * The cost of an algorithm for one shape, counted in messages and bytes; {@link CostModel} makes
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
 * @param overlappedSteps of the other steps that may leave the host, those that pass while other
 *     bytes are on the link, as where a chunk goes round a ring in several segments
 * @param overlappedBytes of the path bytes that may leave the host, those on the link meanwhile
 */
public record Cost(
    long steps,
    long messages,
    long bytes,
    long pathBytes,
    long reducedBytes,
    long localSteps,
    long localPathBytes,
    long queued,
    long overlappedSteps,
    long overlappedBytes) {
  /** The cost of doing nothing, as with one rank. */
  public static final Cost NOTHING = new Cost(0, 0, 0, 0, 0);

  /** The cost of messages of which any may leave its host. */
  public Cost(long steps, long messages, long bytes, long pathBytes, long reducedBytes) {
    this(steps, messages, bytes, pathBytes, reducedBytes, 0, 0, 0);
  }

  /** The cost of messages that do not overlap with others. */
  public Cost(
      long steps,
      long messages,
      long bytes,
      long pathBytes,
      long reducedBytes,
      long localSteps,
      long localPathBytes,
      long queued) {
    this(steps, messages, bytes, pathBytes, reducedBytes, localSteps, localPathBytes, queued, 0, 0);
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
        queued + next.queued,
        overlappedSteps + next.overlappedSteps,
        overlappedBytes + next.overlappedBytes);
  }

  /** The cost of the same messages, of whose bytes some are reduced. */
  public Cost reducing(long reduced) {
    return with(pathBytes, reduced, queued, overlappedSteps, overlappedBytes);
  }

  /**
   * The cost of the same messages if all of them stay inside a host. There none is queued and none
   * overlaps: the processors of the host do what both ends have to do for a message, one message
   * after another.
   */
  public Cost inside() {
    return new Cost(steps, messages, bytes, pathBytes, reducedBytes, steps, pathBytes, 0);
  }

  /** The cost of the same messages, of which so many of each chain wait for their turn only. */
  public Cost queueing(long some) {
    return with(pathBytes, reducedBytes, some, overlappedSteps, overlappedBytes);
  }

  /** The cost of the same messages, of which some pass while other bytes are on the link. */
  public Cost overlapping(long some, long bytesOnLink) {
    return with(pathBytes, reducedBytes, queued, some, bytesOnLink);
  }

  /** The cost of as much at each of {@code ranks} ranks of a host, which share its link. */
  public Cost sharingLink(int ranks) {
    long path = ranks * (pathBytes - localPathBytes) + localPathBytes;
    return with(path, reducedBytes, queued, overlappedSteps, ranks * overlappedBytes);
  }

  private Cost with(long path, long reduced, long waiting, long hidden, long onLink) {
    return new Cost(
        steps, messages, bytes, path, reduced, localSteps, localPathBytes, waiting, hidden, onLink);
  }
}

package io.jgloo.collectives.verify;

import java.util.ArrayList;
import java.util.List;

/** What the messages of a network carry: which bytes of the vector, and whose. */
final class Contents {
  private final Network network;
  private final Runs[] sent;

  private Contents(Network network, Runs[] sent) {
    this.network = network;
    this.sent = sent;
  }

  /**
   * Neighbouring bytes of one message that are neighbours in the vector too.
   *
   * @param start first byte of the vector
   * @param end one past the last byte
   * @param rank whose contribution they are; -1 if they are reduced
   */
  public record Piece(long start, long end, int rank) {}

  /** What all sends of a network carry; throws if it cannot be run. */
  public static Contents of(Network network) {
    return new Contents(network, Simulation.sent(network));
  }

  /** What a send carries, in order; nothing for a signal, and for what is not a send. */
  public List<Piece> of(int operation) {
    List<Piece> pieces = new ArrayList<>();
    Runs runs = sent[operation];
    for (int run = 0; runs != null && run < runs.count(); run++) {
      long length = runs.end(run) - runs.start(run);
      int rank = runs.term(run) < network.size() ? runs.term(run) : -1;
      pieces.add(new Piece(runs.origin(run), runs.origin(run) + length, rank));
    }
    return pieces;
  }
}

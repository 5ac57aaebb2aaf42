package io.jgloo.transport.sim;

import java.util.ArrayList;
import java.util.List;

/** The way from one node to another, in this direction; carries the streams of all their meshes. */
final class Link {

  private final Timeline timeline;
  private final Node from;
  private final Node to;
  private final List<Stream> streams = new ArrayList<>();
  private LinkModel model;
  private boolean cut;

  Link(Timeline timeline, Node from, Node to, LinkModel model) {
    this.timeline = timeline;
    this.from = from;
    this.to = to;
    this.model = model;
  }

  Timeline timeline() {
    return timeline;
  }

  Node from() {
    return from;
  }

  Node to() {
    return to;
  }

  LinkModel model() {
    return model;
  }

  void model(LinkModel changed) {
    model = changed;
  }

  boolean isCut() {
    return cut;
  }

  /** Whether what arrives now must wait in front of the door. */
  boolean isBlocked() {
    return cut || to.isPaused();
  }

  void cut() {
    cut = true;
  }

  void heal() {
    cut = false;
    flow();
  }

  /** Delivers what was held up, after a delay, as retransmission would. */
  void flow() {
    for (Stream stream : List.copyOf(streams)) {
      stream.flow();
    }
  }

  /** Tells all meshes at the far end that the near one is gone, after what is under way. */
  void reset(long delayNanos) {
    streams.forEach(stream -> stream.reset(delayNanos));
  }

  long delay() {
    return timeline.random(model.leastDelayNanos(), model.mostDelayNanos());
  }

  void add(Stream stream) {
    streams.add(stream);
  }

  void remove(Stream stream) {
    streams.remove(stream);
  }

  @Override
  public String toString() {
    return from.rank() + ">" + to.rank();
  }
}

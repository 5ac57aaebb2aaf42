package io.jgloo.transport.sim;

import java.util.ArrayList;
import java.util.List;

/** The network from one node to another, in this direction; carries the streams of all sockets. */
final class NetworkPath {

  private final Timeline timeline;
  private final List<Stream> held = new ArrayList<>();
  private LinkModel model;
  private boolean cut;
  private boolean flips;

  NetworkPath(Timeline timeline, LinkModel model) {
    this.timeline = timeline;
    this.model = model;
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

  void cut() {
    cut = true;
  }

  void flip() {
    flips = true;
  }

  /** Whether a bit is to be changed now. */
  boolean takeFlip() {
    boolean takes = flips;
    flips = false;
    return takes;
  }

  /** Delivers what was held up, after a delay, as retransmission would. */
  void heal() {
    cut = false;
    List<Stream> waiting = List.copyOf(held);
    held.clear();
    waiting.forEach(stream -> timeline.at(timeline.now() + delay(), "heal", stream::arriveHeld));
  }

  void hold(Stream stream) {
    held.add(stream);
  }

  long delay() {
    return timeline.random(model.leastDelayNanos(), model.mostDelayNanos());
  }
}

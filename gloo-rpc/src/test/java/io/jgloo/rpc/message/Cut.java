package io.jgloo.rpc.message;

import java.util.SplittableRandom;

/** A network that loses all frames of one messenger to a peer, until it heals. */
public final class Cut {

  private volatile boolean healed;

  /** Loses frames of an agent from now on. */
  public Cut(Messenger from, int peer) {
    this(from, peer, 100);
  }

  /** Loses so many of a hundred frames of an agent. */
  public static void losing(Messenger from, int peer, int percent) {
    new Cut(from, peer, percent);
  }

  private Cut(Messenger from, int peer, int percent) {
    SplittableRandom random = new SplittableRandom(peer);
    MessengerState core = from.directory().core;
    core.events.run(
        () ->
            core.links.outlet(
                real ->
                    (rank, frame, length) -> {
                      if (rank == peer && !healed && random.nextInt(100) < percent) {
                        core.events.add(() -> core.links.sent(rank));
                      } else {
                        real.send(rank, frame, length);
                      }
                    }));
  }

  /** Loses no frame any more. */
  public void heal() {
    healed = true;
  }
}

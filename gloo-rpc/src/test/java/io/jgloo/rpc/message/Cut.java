package io.jgloo.rpc.message;

/** A network that loses all frames of one messenger to a peer, until it heals. */
public final class Cut {

  private volatile boolean healed;

  /** Loses frames of an agent from now on. */
  public Cut(Messenger from, int peer) {
    MessengerState core = from.directory().core();
    core.events()
        .run(
            () ->
                core.links()
                    .outlet(
                        real ->
                            (rank, frame, length) -> {
                              if (rank == peer && !healed) {
                                core.events().add(() -> core.links().sent(rank));
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

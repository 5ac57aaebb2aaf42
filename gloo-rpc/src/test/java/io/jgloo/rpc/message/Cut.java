package io.jgloo.rpc.message;

/** A network that loses all frames of one messenger to a peer, until it is closed. */
public final class Cut implements AutoCloseable {

  private volatile boolean closed;

  /** Loses frames of an agent from now on. */
  public Cut(Messenger from, int peer) {
    Core core = from.directory().core();
    core.events()
        .run(
            () ->
                core.links()
                    .outlet(
                        real ->
                            (rank, frame, length) -> {
                              if (rank == peer && !closed) {
                                core.events().add(() -> core.links().sent(rank));
                              } else {
                                real.send(rank, frame, length);
                              }
                            }));
  }

  @Override
  public void close() {
    closed = true;
  }
}

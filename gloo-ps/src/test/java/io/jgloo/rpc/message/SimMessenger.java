package io.jgloo.rpc.message;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.transport.Device;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A messenger on a device of the simulator, for tests of other modules: the threads of the test
 * move its messages, and it loses, repeats and reorders frames.
 */
public final class SimMessenger {

  private final Messenger messenger;
  private MessengerState core;

  public SimMessenger(
      String name, int rank, int size, Store store, MessengerOptions options, Device device) {
    messenger = new Messenger(name, rank, size, store, options, device);
  }

  public Messenger messenger() {
    return messenger;
  }

  /**
   * Registers it and loses, repeats and reorders frames from now on.
   *
   * @param percent of the frames that are lost, as many that are repeated, and as many that are
   *     sent after the next one
   */
  public void prepare(int percent, SplittableRandom random) {
    core = messenger.prepare();
    PeerSessions links = core.links;
    PeerSessions.Outlet[] real = new PeerSessions.Outlet[1];
    ArrayDeque<Runnable> held = new ArrayDeque<>();
    PeerSessions.Outlet faulty =
        (rank, frame, length) -> {
          int draw = random.nextInt(100);
          if (draw < percent) {
            core.events.add(() -> links.sent(rank));
          } else if (draw < 2 * percent) {
            byte[] copy = Arrays.copyOf(frame, length);
            held.add(() -> real[0].send(rank, copy, length));
            core.events.add(() -> links.sent(rank));
          } else {
            real[0].send(rank, frame, length);
            if (draw >= 100 - percent) {
              real[0].send(rank, frame, length);
            }
            for (Runnable late = held.poll(); late != null; late = held.poll()) {
              late.run();
            }
          }
        };
    core.events.run(
        () ->
            links.outlet(
                outlet -> {
                  real[0] = outlet;
                  return faulty;
                }));
  }

  /** Whether all agents are connected. */
  public boolean isConnected() {
    for (int peer = 0; peer < messenger.size(); peer++) {
      if (messenger.agent(peer).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Looks for peers that are not connected. */
  public void connect() {
    messenger.directory().round();
  }

  /** Moves messages until a timer is due, and lets it happen. */
  public void move() {
    long timer = core.links.nextTimer();
    messenger.await(() -> core.links.nextTimer() - timer < 0, timer);
    core.events.poke();
  }

  /** Messages that were sent again. */
  public long resent() {
    return messenger.counts().get("resent");
  }
}

package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Clock;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Short questions and notices to a mesh's listener, outside its pairs. */
public final class SideChannel {

  private static final Logger LOG = System.getLogger(SideChannel.class.getName());
  private static final long NOTICE_NANOS = 2_000_000_000L;
  private static final long PAUSE_NANOS = 10_000_000L;

  private SideChannel() {}

  /**
   * Asks the process that listens at an endpoint whether it still has that mesh, and waits for the
   * answer.
   */
  public static Liveness probe(ConnectDevice device, Endpoint endpoint, Duration timeout) {
    return new Probe(device, endpoint, timeout).await();
  }

  /** Sends an abort notice to a peer whose stream is blocked or was never opened: one attempt. */
  public static Notice sendNotice(
      ConnectMesh mesh, ConnectDevice device, Endpoint endpoint, byte[] bytes) {
    byte[] hello =
        Hello.notice(mesh.membership(), mesh.incarnation(), endpoint.incarnation(), bytes.length)
            .encode();
    byte[] request = Arrays.copyOf(hello, hello.length + bytes.length);
    System.arraycopy(bytes, 0, request, hello.length, bytes.length);
    Notice notice = new Notice(endpoint);
    long deadlineNanos = device.platform().nanoTime() + NOTICE_NANOS;
    device.call(endpoint.listener(), request, deadlineNanos, notice);
    return notice;
  }

  /**
   * A notice under way; the peer answers when its mesh has heard it. Threads: the device's thread.
   */
  public static final class Notice implements SideCall.Reply {
    private final Endpoint endpoint;
    private final List<Runnable> behind = new ArrayList<>();
    private boolean settled;

    private Notice(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    /** Else the peer may read the end of the stream before the notice. */
    @Override
    public boolean isAwaited() {
      return true;
    }

    /** Whether the peer has answered, or will not. */
    boolean isSettled() {
      return settled;
    }

    /** Runs a task when the notice is settled. */
    void whenSettled(Runnable task) {
      behind.add(task);
    }

    @Override
    public void answered(Welcome welcome, byte[] answer) {
      settle();
    }

    @Override
    public void failed(IOException e) {
      LOG.log(Level.DEBUG, "{0} did not receive an abort notice: {1}", endpoint, e.getMessage());
      settle();
    }

    private void settle() {
      settled = true;
      behind.forEach(Runnable::run);
    }
  }

  /**
   * A probe, repeated while the connection is closed without an answer, as a device does that has
   * too many connections.
   */
  private static final class Probe implements SideCall.Reply {
    private final ConnectDevice device;
    private final Platform platform;
    private final Endpoint endpoint;
    private final long deadlineNanos;
    private final ReentrantLock lock;
    private final Condition changed;
    private Liveness answer;
    private boolean mustAskAgain;

    Probe(ConnectDevice device, Endpoint endpoint, Duration timeout) {
      this.device = device;
      this.endpoint = endpoint;
      platform = device.platform();
      deadlineNanos = platform.nanoTime() + Clock.nanos(timeout);
      lock = platform.newLock();
      changed = lock.newCondition();
    }

    Liveness await() {
      lock.lock();
      try {
        ask();
        for (long left = left(); answer == null && left > 0; left = left()) {
          changed.await(mustAskAgain ? Math.min(left, PAUSE_NANOS) : left, TimeUnit.NANOSECONDS);
          if (mustAskAgain && left() > 0) {
            ask();
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
      return answer == null ? Liveness.UNKNOWN : answer;
    }

    private long left() {
      return deadlineNanos - platform.nanoTime();
    }

    private void ask() {
      mustAskAgain = false;
      byte[] hello = Hello.probe(endpoint.incarnation()).encode();
      device.call(endpoint.listener(), hello, deadlineNanos, this);
    }

    @Override
    public void answered(Welcome welcome, byte[] behind) {
      settle(
          switch (welcome.status()) {
            case ACCEPTED -> Liveness.ALIVE;
            case SECRET_NEEDED, TLS_NEEDED, NO_TLS, WRONG_CERTIFICATE -> Liveness.UNKNOWN;
            default -> Liveness.GONE;
          });
    }

    @Override
    public void failed(IOException e) {
      LOG.log(Level.DEBUG, "{0} did not answer: {1}", endpoint, e);
      if (e instanceof AuthenticationFailure || e instanceof WireVersion.OtherVersion) {
        settle(Liveness.UNKNOWN);
        return;
      }
      // Refused: no process listens any more. Another protocol: it is not a mesh.
      boolean gone = e instanceof ConnectException || e.getCause() instanceof ProtocolException;
      settle(gone ? Liveness.GONE : null);
    }

    private void settle(Liveness found) {
      lock.lock();
      try {
        answer = found;
        mustAskAgain = found == null;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}

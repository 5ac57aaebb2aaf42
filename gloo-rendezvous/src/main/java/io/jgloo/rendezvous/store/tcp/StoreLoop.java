package io.jgloo.rendezvous.store.tcp;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A store server's event loop, whose thread continues after any {@code Throwable}: Netty's own ends
 * at the first {@code Error} that leaves its I/O handler, and all clients would wait forever.
 *
 * <p>Owns: its one thread, until it is shut down.
 */
final class StoreLoop extends MultiThreadIoEventLoopGroup {
  private static final Logger LOG = System.getLogger(StoreLoop.class.getName());
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  StoreLoop(ThreadFactory threads, IoHandlerFactory io) {
    super(1, threads, io);
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... unused) {
    return new SingleThreadIoEventLoop(this, executor, io) {
      @Override
      protected int runIo() {
        try {
          return super.runIo();
        } catch (Throwable e) {
          survive(e);
          return 0;
        }
      }

      @Override
      protected boolean runAllTasks(long nanos) {
        try {
          return super.runAllTasks(nanos);
        } catch (Throwable e) {
          survive(e);
          return false;
        }
      }
    };
  }

  private static void survive(Throwable cause) {
    try {
      LOG.log(Level.ERROR, "the event loop of a store server failed and continues", cause);
    } catch (Throwable e) {
      // no memory for the log
    }
    LockSupport.parkNanos(PAUSE_NANOS); // so that a permanent failure does not occupy a core
  }
}

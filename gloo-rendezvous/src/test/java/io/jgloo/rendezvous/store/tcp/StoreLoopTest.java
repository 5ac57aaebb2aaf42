package io.jgloo.rendezvous.store.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A {@link StoreLoop} runs on after whatever its I/O handler throws. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreLoopTest {
  private final AtomicInteger failures = new AtomicInteger();

  /** Netty's handler, but its next {@code failures} calls of {@code run} throw. */
  private IoHandlerFactory failing() {
    IoHandlerFactory real = NioIoHandler.newFactory();
    return executor -> {
      IoHandler handler = real.newHandler(executor);
      return (IoHandler)
          Proxy.newProxyInstance(
              IoHandler.class.getClassLoader(),
              new Class<?>[] {IoHandler.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("run") && failures.get() > 0) {
                  failures.decrementAndGet();
                  throw new OutOfMemoryError("made by the test");
                }
                try {
                  return method.invoke(handler, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    };
  }

  @Test
  void anErrorOfTheIoHandler_doesNotEndTheThread() throws Exception {
    StoreLoop loop = new StoreLoop(body -> new Thread(body, "gloo-store-test"), failing());
    try {
      Thread before = loop.submit(Thread::currentThread).get();
      failures.set(3);
      while (failures.get() > 0) {
        assertSame(before, loop.submit(Thread::currentThread).get());
      }
      assertSame(before, loop.submit(Thread::currentThread).get());
      assertEquals(7, loop.schedule(() -> 7, 1, TimeUnit.MILLISECONDS).get());
    } finally {
      loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
  }
}

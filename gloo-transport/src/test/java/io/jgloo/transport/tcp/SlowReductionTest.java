package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.memory.Memory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A reduction that takes long holds up its own mesh, and no other of the same device. */
@Timeout(100)
class SlowReductionTest {

  private static final DeviceOptions LOOPBACK = Loopback.OPTIONS;

  private static Ranks ranks(DeviceOptions options) {
    return Loopback.ranks(2, options);
  }

  /** A reduction of ints that does something at each call. */
  private static Reduction sum(Runnable first, int bytesAtATime) {
    return new Reduction() {
      @Override
      public void reduce(long target, long source, long length) {
        first.run();
        for (long at = 0; at < length; at += granule()) {
          Memory.putInt(target + at, Memory.getInt(target + at) + Memory.getInt(source + at));
        }
      }

      @Override
      public int granule() {
        return 4;
      }

      @Override
      public int bytesAtATime() {
        return bytesAtATime;
      }
    };
  }

  /** The reduction returns only when another mesh of both devices has been connected. */
  @ParameterizedTest
  @CsvSource({"jgloo,4", "jgloo,100000", "jgloo,1000000", "gloo,4", "gloo,1000000"})
  void slowReduction_anotherMeshConnects(String wire, int bytes) {
    ranks(LOOPBACK.with("wire", wire))
        .run(
            rank -> {
              CountDownLatch connected = new CountDownLatch(1);
              CountDownLatch running = new CountDownLatch(1);
              Ranks.Fork other =
                  rank.fork(
                      "other",
                      self -> {
                        if (rank.rank() == 0) {
                          await(running); // the reduction has begun
                        }
                        rank.connectAnother("other");
                        connected.countDown();
                      });
              if (rank.rank() == 0) {
                Reduction slow =
                    sum(
                        () -> {
                          running.countDown();
                          await(connected);
                        },
                        Integer.MAX_VALUE);
                rank.complete(rank.recv(1, rank.request(1, rank.area(bytes)).reducing(slow)));
              } else {
                rank.complete(rank.send(0, 1, rank.area(bytes)));
              }
              other.join();
              rank.meet();
            });
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(Ranks.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** While no thread of the rank waits, the device's thread moves bytes and reduces none. */
  @ParameterizedTest
  @CsvSource({"jgloo,1,4", "jgloo,1,1000000", "jgloo,3,1000000", "gloo,1,1000000"})
  void reductionWithoutAWaitingThread_isLeftToOne(String wire, int connections, int bytes) {
    ranks(LOOPBACK.with("wire", wire).with("connections", "" + connections))
        .run(
            rank -> {
              if (rank.rank() == 1) {
                rank.meet();
                rank.tell(0, 2);
                Request send = rank.send(0, 1, rank.area(bytes).fill(1));
                rank.complete(send);
                rank.meet();
                return;
              }
              Thread own = Thread.currentThread();
              AtomicInteger elsewhere = new AtomicInteger();
              Reduction counting =
                  sum(
                      () -> elsewhere.addAndGet(Thread.currentThread() == own ? 0 : 1),
                      Integer.MAX_VALUE);
              Request note = rank.recv(1, 2, rank.area(1));
              Request recv = rank.recv(1, rank.request(1, rank.area(bytes)).reducing(counting));
              rank.meet();
              rank.until("a message has come", note::isDone); // by the device's thread
              rank.pause(50);
              assertTrue(bytes == 0 || !recv.isDone(), "reduced while no thread waited");
              rank.complete(recv);
              assertEquals(0, elsewhere.get());
              rank.meet();
            });
  }

  /** Another thread that wants the mesh need not wait for all of a long message. */
  @Test
  void slowReductionOfALongMessage_letsOthersIn() {
    int bytes = 1 << 20;
    int atATime = 8 << 10;
    ranks(LOOPBACK)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                rank.complete(rank.send(0, 1, rank.area(bytes).fill(3)));
                rank.meet();
                return;
              }
              CountDownLatch running = new CountDownLatch(1);
              AtomicInteger calls = new AtomicInteger();
              AtomicInteger callsUntilIn = new AtomicInteger();
              Ranks.Fork other =
                  rank.fork(
                      "other",
                      self -> {
                        await(running);
                        Diagnosis.of(rank.mesh()).counters();
                        callsUntilIn.set(calls.get());
                      });
              Reduction slow =
                  sum(
                      () -> {
                        calls.incrementAndGet();
                        running.countDown();
                        rank.pause(20);
                      },
                      atATime);
              rank.complete(rank.recv(1, rank.request(1, rank.area(bytes)).reducing(slow)));
              other.join();
              assertTrue(calls.get() >= bytes / atATime, calls + " calls");
              assertTrue(callsUntilIn.get() < calls.get() / 2, callsUntilIn + " of " + calls);
              rank.meet();
            });
  }
}

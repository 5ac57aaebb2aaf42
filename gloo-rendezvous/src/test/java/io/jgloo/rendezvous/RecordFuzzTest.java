package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;

/** What ranks write to a store, for any bytes. */
final class RecordFuzzTest extends FuzzContract {

  private static final UUID NONCE = new UUID(1, 2);

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        target(
            "rank-record",
            new RankRecord(1, 4, NONCE, new Address("tcp", "host", "text", new byte[20])).encode(),
            RecordFuzzTest::rankRecord),
        target(
            "join-failure",
            new JoinFailure(0, List.of(1, 3), "too late").encode(),
            JoinFailure::decode),
        target(
            "size-conflict",
            new SizeConflict(0, 2, NONCE, 1, 3, NONCE).encode(),
            SizeConflict::decode),
        target("gloo-rank", CppGlooRankBlob.encode(glooAddress()), RecordFuzzTest::glooRank));
  }

  private static FuzzTarget target(String name, byte[] sample, FuzzTarget.Body body) {
    return FuzzTarget.of(name, ProtocolException.class, sample, body);
  }

  private static void rankRecord(byte[] input) {
    RankRecord record = RankRecord.decode(1, input);
    assertEquals(record, RankRecord.decode(1, record.encode()));
  }

  private static Address glooAddress() {
    InetSocketAddress listener = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
    return CppGlooRankBlob.address("tcp", "host", new CppGlooAddress(listener, 9).encode());
  }

  private static void glooRank(byte[] input) {
    CppGlooRankBlob.decode("tcp", 1, input);
  }
}

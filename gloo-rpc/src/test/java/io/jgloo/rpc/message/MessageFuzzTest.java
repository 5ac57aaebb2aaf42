package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.AgentRecords.AgentRecord;
import io.jgloo.transport.Address;
import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import java.util.List;

/** Records of agents and the contents of messages, for any bytes. */
final class MessageFuzzTest extends FuzzContract {

  private static final long BLOCKS_LIMIT = 1 << 20;

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        FuzzTarget.of(
            "agent-record",
            ProtocolException.class,
            new AgentRecord(
                    new AgentId(1, 7),
                    4,
                    4096,
                    1024,
                    "worker-1",
                    new Address("tcp", "host", "text", new byte[20]))
                .encode(),
            MessageFuzzTest::agentRecord),
        FuzzTarget.of(
            "message-content", ProtocolException.class, content(), MessageFuzzTest::content));
  }

  private static void agentRecord(byte[] input) {
    AgentRecord record = AgentRecord.decode(1, 4, input);
    assertEquals(record, AgentRecord.decode(1, 4, record.encode()));
  }

  private static byte[] content() {
    try (Block block = Block.allocate(64)) {
      Message message = Message.of(new byte[] {1, 2, 3});
      return Envelope.withBody(
          Envelope.REQUEST, 0, 1, Envelope.REQUEST_BYTES, message, List.of(block), 9, false);
    }
  }

  private static void content(byte[] input) {
    int length = input.length - Envelope.REQUEST_BYTES;
    if (length < 0) {
      return;
    }
    Envelope.Content content =
        Envelope.Content.read(input, Envelope.REQUEST_BYTES, length, BLOCKS_LIMIT);
    if (content.fits()) {
      assertTrue(content.offset() + content.length() <= input.length);
      long sum = 0;
      for (long each : content.lengths()) {
        sum += each;
      }
      assertTrue(sum >= 0 && sum <= BLOCKS_LIMIT, "blocks of " + sum + " bytes");
    }
  }
}

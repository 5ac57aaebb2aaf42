package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import java.util.List;

/** Control messages of references, for any bytes. */
final class ControlFuzzTest extends FuzzContract {

  @Override
  protected List<FuzzTarget> targets() {
    AgentId agent = new AgentId(1, 7);
    ForkId fork = new ForkId(new RRefId(agent, agent, 3), agent, agent, 4);
    return List.of(
        new FuzzTarget(
            "rref-control",
            ProtocolException.class,
            List.of(
                ControlCodec.encode(new Message.ForkRequest(fork)),
                ControlCodec.encode(new Message.ForkReply(fork, null)),
                ControlCodec.encode(new Message.Fenced())),
            input -> assertArrayEquals(input, ControlCodec.encode(ControlCodec.decode(input)))));
  }
}

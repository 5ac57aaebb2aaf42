package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;
import org.junit.jupiter.api.Tag;

/** With a job secret pairs fail alone, and are connected anew. */
@Tag("full")
class TcpSecretPairwiseTest extends TcpPairwiseTest {

  @Override
  DeviceOptions options() {
    return Secrets.OPTIONS.with("sockets", "nio");
  }
}

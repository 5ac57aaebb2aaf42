package io.jgloo.transport.tcp;

import io.jgloo.transport.Certificates;
import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.UnexpectedContract;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;

/** Over TLS, with two connections a pair, the TCP device keeps the contract. */
@Timeout(100)
class TcpTlsDeviceTest implements UnexpectedContract, ReductionContract, ClosingContract {

  private static final List<TlsOptions> FILES =
      IntStream.range(0, 16).mapToObj(Certificates::of).toList();

  /** Ranks with certificates of their own. */
  static Ranks ranks(int size, DeviceOptions options) {
    return new ThreadRanks(size, rank -> Devices.open("tcp", FILES.get(rank).addTo(options)));
  }

  @Override
  public Ranks ranks(int size) {
    return ranks(size, Loopback.OPTIONS.with("connections", 2));
  }

  /** A TLS engine allocates as it likes. */
  @Override
  public long allocatedPerMessage() {
    return 20_000;
  }
}

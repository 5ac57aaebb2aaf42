package io.jgloo.bench;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.Commands.Subcommand;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.StoreCodec;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.store.TcpStoreServer;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Serves a store until it is stopped, so that a job of any language can meet there; its ranks use
 * {@code tcp://host:port?serve=no}. With a secret or TLS in the environment it serves the processes
 * of that job only.
 */
@Command(
    name = "gloo-bench/run store",
    sortOptions = false,
    description = "Serves a store until it is stopped; prints 'listening on HOST:PORT'.")
final class StoreCommand implements Subcommand {

  @Option(
      names = "--bind",
      paramLabel = "ADDR",
      defaultValue = "127.0.0.1",
      description = "address to listen on; 0.0.0.0 for all (default: ${DEFAULT-VALUE})")
  private String bind;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "29500",
      description = "0 for one that the system chooses (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      defaultValue = "pytorch",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private StoreCodec codec;

  @Mixin Help help;

  @Override
  public int run(PrintWriter out) throws InterruptedException {
    try (TcpStoreServer server = start()) {
      String host = server.address().getAddress().getHostAddress();
      String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
      out.println("listening on " + shown + ":" + server.port());
      out.flush();
      new CountDownLatch(1).await(); // a signal ends the process, and with it the store
    }
    return ExitCode.VERIFIED;
  }

  private TcpStoreServer start() {
    StoreCredentials credentials = StoreCredentials.fromEnvironment(System.getenv());
    if (!credentials.authenticate()) {
      return Stores.startServer(address(), TcpStoreLimits.DEFAULT, codec);
    }
    require(
        codec == StoreCodec.PYTORCH,
        "--codec " + codec + " has neither secret nor TLS, but the environment names them");
    return Stores.startServer(address(), TcpStoreLimits.DEFAULT, credentials);
  }

  private InetSocketAddress address() {
    require(port >= 0 && port <= 65_535, "--port must be 0 to 65535, but is " + port);
    InetSocketAddress address = new InetSocketAddress(bind, port);
    require(!address.isUnresolved(), "--bind is '" + bind + "', which has no address");
    return address;
  }
}

package io.jgloo.bench;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.bench.command.Commands;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Serves a store until it is stopped, so that a job of any language can meet there; its ranks use
 * {@code tcp://host:port?serve=no}. With a secret or TLS in the environment it serves the processes
 * of that job only.
 */
@Command(
    name = "gloo-bench/run store",
    showDefaultValues = true,
    description = "Serves a store until it is stopped; prints 'listening on HOST:PORT'.")
public final class StoreCommand implements Commands.Command {
  @Option(names = "--bind", description = "address to listen on; 0.0.0.0 for all")
  private String bind = "127.0.0.1";

  @Option(names = "--port", description = "0 for one that the system chooses")
  private int port = 29500;

  @Override
  public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
    require(port >= 0 && port <= 65_535, "--port must be 0 to 65535, but is " + port);
    InetSocketAddress address = new InetSocketAddress(bind, port);
    require(!address.isUnresolved(), "--bind is '" + bind + "', which has no address");
    StoreCredentials credentials = StoreCredentials.fromEnvironment(System.getenv());
    try (TcpStore store = Stores.serve(bind, address, Store.DEFAULT_TIMEOUT, credentials)) {
      String host = address.getAddress().getHostAddress();
      String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
      out.println("listening on " + shown + ":" + store.port());
      out.flush();
      new CountDownLatch(1).await(); // a signal ends the process, and with it the store
      return 0;
    }
  }
}

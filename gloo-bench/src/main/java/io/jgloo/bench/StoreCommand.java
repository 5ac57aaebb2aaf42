package io.jgloo.bench;

import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.StoreCodec;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.store.TcpStoreServer;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Serves a store until it is stopped, so that a job of any language can meet there; its ranks use
 * {@code tcp://host:port?serve=no}.
 */
final class StoreCommand {

  /** First word of the command line. */
  static final String NAME = "store";

  /** What the user may say. */
  @Command(
      name = "gloo-bench/run store",
      sortOptions = false,
      description = "Serves a store until it is stopped; prints 'listening on HOST:PORT'.")
  private static final class Choice {
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

    @Option(names = "--help", usageHelp = true, description = "this text")
    private boolean help;
  }

  private final PrintWriter out;
  private final PrintWriter err;

  StoreCommand(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** Serves; returns the exit code when the process is told to end. */
  int run(String... arguments) {
    Choice choice = new Choice();
    CommandLine parser = new CommandLine(choice).setCaseInsensitiveEnumValuesAllowed(true);
    try {
      parser.parseArgs(arguments);
      if (choice.help) {
        parser.usage(out);
        out.flush();
        return ExitCode.VERIFIED;
      }
      return serve(choice);
    } catch (ParameterException e) {
      return fail(e.getMessage(), ExitCode.USAGE);
    } catch (StoreUnavailableException e) {
      return fail(e.getMessage(), ExitCode.FAILURE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILURE;
    }
  }

  private int serve(Choice choice) throws InterruptedException {
    InetSocketAddress bind = address(choice);
    try (TcpStoreServer server = Stores.startServer(bind, TcpStoreLimits.DEFAULT, choice.codec)) {
      String host = server.address().getAddress().getHostAddress();
      String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
      out.println("listening on " + shown + ":" + server.port());
      out.flush();
      new CountDownLatch(1).await(); // a signal ends the process, and with it the store
    }
    return ExitCode.VERIFIED;
  }

  private static InetSocketAddress address(Choice choice) {
    InetSocketAddress bind;
    try {
      bind = new InetSocketAddress(choice.bind, choice.port);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          new CommandLine(choice), "--port must be 0 to 65535, but is " + choice.port, e);
    }
    if (bind.isUnresolved()) {
      throw new ParameterException(
          new CommandLine(choice), "--bind is '" + choice.bind + "', which has no address");
    }
    return bind;
  }

  private int fail(String why, int code) {
    err.println("gloo-bench: " + why + "\nTry gloo-bench/run store --help");
    err.flush();
    return code;
  }
}

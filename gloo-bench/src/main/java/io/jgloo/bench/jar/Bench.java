package io.jgloo.bench.jar;

import io.jgloo.bench.Main;
import io.jgloo.bench.StoreCommand;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.Commands.Command;
import io.jgloo.bench.compare.CompareCommand;
import io.jgloo.bench.diagnose.DiagnoseCommand;
import io.jgloo.bench.ps.PsRun;
import io.jgloo.bench.rpc.RpcCommand;
import io.jgloo.bench.soak.KillCommand;
import io.jgloo.bench.soak.SoakCommand;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;

/** The main class of the jar that runs: the first argument is a command or an operation. */
public final class Bench {

  /** All else is an operation, of {@link Main}. */
  private static final Map<String, Supplier<Command>> COMMANDS =
      Map.of(
          "compare", CompareCommand::new,
          "diagnose", DiagnoseCommand::new,
          "kill", KillCommand::new,
          "ps", PsRun::new,
          "rpc", RpcCommand::new,
          "soak", SoakCommand::new,
          "store", StoreCommand::new);

  private Bench() {}

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Runs what the arguments say; returns the exit code. */
  public static int run(PrintStream out, PrintStream err, String... arguments) {
    Supplier<Command> command = arguments.length == 0 ? null : COMMANDS.get(arguments[0]);
    if (command == null) {
      return Commands.run(new Main(), out, err, arguments);
    }
    String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    return Commands.run(command.get(), out, err, rest);
  }
}

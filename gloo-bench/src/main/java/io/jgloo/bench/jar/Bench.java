package io.jgloo.bench.jar;

import io.jgloo.bench.Main;
import io.jgloo.bench.compare.CompareMain;
import io.jgloo.bench.ps.PsRun;
import io.jgloo.bench.soak.KillCommand;
import io.jgloo.bench.soak.SoakCommand;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/** The main class of the jar that runs: the first argument is a program or an operation. */
public final class Bench {

  /** Programs of their own; all else is an operation or a subcommand of {@link Main}. */
  private static final Map<String, Consumer<String[]>> PROGRAMS =
      Map.of(
          "compare", CompareMain::main,
          "kill", KillCommand::main,
          "ps", PsRun::main,
          "soak", SoakCommand::main);

  private Bench() {}

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    if (arguments.length > 0 && PROGRAMS.containsKey(arguments[0])) {
      PROGRAMS.get(arguments[0]).accept(Arrays.copyOfRange(arguments, 1, arguments.length));
    } else {
      Main.main(arguments);
    }
  }
}

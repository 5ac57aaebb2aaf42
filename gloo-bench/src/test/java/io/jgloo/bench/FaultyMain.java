package io.jgloo.bench;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.operation.FaultyOperation;
import java.util.List;

/** The command line with an operation that gets something wrong. */
final class FaultyMain {

  private FaultyMain() {}

  public static void main(String[] arguments) {
    Main main = new Main(FaultyMain.class, List.of(new FaultyOperation()));
    System.exit(Commands.run(main, System.out, System.err, arguments));
  }
}

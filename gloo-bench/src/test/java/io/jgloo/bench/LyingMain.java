package io.jgloo.bench;

import io.jgloo.bench.operation.LyingOperation;
import java.util.List;

/** The command line with an operation that gets something wrong. */
final class LyingMain {

  private LyingMain() {}

  public static void main(String[] arguments) {
    Main main = new Main(LyingMain.class, List.of(new LyingOperation()), System.out, System.err);
    System.exit(main.run(arguments));
  }
}

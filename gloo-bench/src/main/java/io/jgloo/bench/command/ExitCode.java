package io.jgloo.bench.command;

/** The exit codes of all commands. */
public final class ExitCode {

  /** Everything ran and every result was right. */
  public static final int VERIFIED = 0;

  /** Everything ran and a result was wrong. */
  public static final int WRONG = 1;

  /** The command line has an error. */
  public static final int USAGE = 2;

  /** Something failed: a rank died, a call timed out, a file could not be written. */
  public static final int FAILURE = 3;

  private ExitCode() {}
}

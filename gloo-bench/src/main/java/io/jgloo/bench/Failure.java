package io.jgloo.bench;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import java.io.IOException;
import java.io.PrintWriter;

/** Why a rank could not go on. */
record Failure(int exitCode, Throwable cause) {

  /** Whether another rank failed first, and this one was told or noticed. */
  boolean isConsequence() {
    return cause instanceof PeerLostException
        || cause instanceof PeerDepartedException
        || cause instanceof AbortedException;
  }

  /** Says it in a line; with the stack trace if the place in the code is part of the answer. */
  void print(PrintWriter err, String prefix, int rank) {
    if (exitCode == ExitCode.USAGE) {
      err.println(prefix + cause.getMessage());
    } else if (cause instanceof GlooException || cause instanceof IOException) {
      err.println(prefix + "rank " + rank + ": " + cause);
    } else {
      err.print(prefix + "rank " + rank + ": ");
      cause.printStackTrace(err);
    }
    err.flush();
  }
}

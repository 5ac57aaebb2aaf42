package io.jgloo;

import io.jgloo.collectives.execution.Call;

/**
 * What the calls of a group have in common: its connection, and the options they are made with.
 *
 * <p>The calls of {@link ProcessGroup} are spread over a chain of classes by family; this is its
 * root.
 */
abstract class Calls {

  final Connection connection;
  final Caller caller;
  final CallMaker make;

  Calls(Connection connection, CallOptions options) {
    this.connection = connection;
    make = new CallMaker(connection, options);
    caller = new Caller(connection, options, make);
  }

  /** A payload that comes again. */
  final Payload spare() {
    return connection.payloads().take();
  }

  final void run(Call call) {
    caller.run(call);
  }

  final Work start(Call call) {
    return caller.start(call);
  }

  /** Gives back payloads that come again; any but those stay as they are. */
  static void done(Payload payload) {
    if (payload != null) {
      payload.spare();
    }
  }

  static void done(Payload input, Payload output) {
    done(input);
    done(output);
  }
}

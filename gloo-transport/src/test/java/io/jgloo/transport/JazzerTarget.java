package io.jgloo.transport;

import java.lang.reflect.Constructor;

/** What Jazzer calls: the target that its arguments name, a {@link FuzzContract} and a name. */
public final class JazzerTarget {

  private static FuzzTarget target;

  private JazzerTarget() {}

  /** Called once, before the first input. */
  public static void fuzzerInitialize(String[] args) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName(args[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    FuzzContract contract = (FuzzContract) constructor.newInstance();
    target =
        contract.targets().stream()
            .filter(each -> each.name().equals(args[1]))
            .findFirst()
            .orElseThrow();
  }

  /** Called with each input; an exception is a finding. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    target.accepts(input);
  }
}

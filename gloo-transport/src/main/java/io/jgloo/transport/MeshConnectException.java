package io.jgloo.transport;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Some pairs of a mesh could not be connected; holds the cause for each rank. */
public final class MeshConnectException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient SortedMap<Integer, JGlooException> causes;

  /**
   * @param causes by rank that is not connected
   */
  public MeshConnectException(String message, Map<Integer, JGlooException> causes) {
    super(message, causes.isEmpty() ? null : causes.values().iterator().next());
    this.causes = new TreeMap<>(causes);
  }

  private MeshConnectException(
      String message, MeshConnectException original, @Nullable FailureContext context) {
    super(message, original, context);
    causes = original.causes;
  }

  /** The cause for each rank that is not connected. */
  public SortedMap<Integer, JGlooException> causes() {
    return causes;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new MeshConnectException(message, this, context);
  }
}

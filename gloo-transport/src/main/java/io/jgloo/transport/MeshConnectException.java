package io.jgloo.transport;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Some pairs of a mesh could not be connected; holds the cause for each rank. */
public final class MeshConnectException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient SortedMap<Integer, JGlooException> causes;
  private final transient Set<Integer> refused;

  /**
   * @param causes by rank that is not connected
   */
  public MeshConnectException(String message, Map<Integer, JGlooException> causes) {
    this(message, causes, Set.of());
  }

  /**
   * @param causes by rank that is not connected
   * @param refused those of them to which another attempt cannot succeed
   */
  public MeshConnectException(
      String message, Map<Integer, JGlooException> causes, Set<Integer> refused) {
    super(message, causes.isEmpty() ? null : causes.values().iterator().next());
    this.causes = new TreeMap<>(causes);
    this.refused = Set.copyOf(refused);
  }

  private MeshConnectException(
      String message, MeshConnectException original, @Nullable FailureContext context) {
    super(message, original, context);
    causes = original.causes;
    refused = original.refused;
  }

  /** The cause for each rank that is not connected. */
  public SortedMap<Integer, JGlooException> causes() {
    return causes;
  }

  /**
   * The ranks to which another attempt cannot succeed while the processes at their addresses run,
   * as the two sides have different attributes, for example.
   */
  public Set<Integer> refused() {
    return refused;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new MeshConnectException(message, this, context);
  }
}

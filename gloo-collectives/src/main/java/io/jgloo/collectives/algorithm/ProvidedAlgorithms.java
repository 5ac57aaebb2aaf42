package io.jgloo.collectives.algorithm;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.AlgorithmProvider;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The algorithms of {@link Algorithms} together with those of providers.
 *
 * <p>Providers are asked once, and their algorithms sorted by name: of two that cost the same, all
 * ranks take the same one, whatever the order of their class paths.
 *
 * <p><em>Threads</em>: any; immutable.
 */
public final class ProvidedAlgorithms {
  private final List<Provided> provided;

  private record Provided(AlgorithmProvider provider, Algorithm algorithm) {
    boolean selectable(Shape shape) {
      return algorithm.collective() == shape.collective() && provider.selectable(algorithm, shape);
    }
  }

  /**
   * @throws IllegalStateException if two algorithms of a collective have one name
   */
  ProvidedAlgorithms(Iterable<AlgorithmProvider> providers) {
    List<Provided> found = new ArrayList<>();
    for (AlgorithmProvider provider : providers) {
      for (Algorithm algorithm : provider.algorithms()) {
        Stream<Algorithm> others =
            Stream.concat(Algorithms.all().stream(), found.stream().map(Provided::algorithm));
        if (others.anyMatch(other -> sameName(other, algorithm))) {
          throw new IllegalStateException(
              algorithm.collective().label()
                  + " algorithm "
                  + algorithm.name()
                  + " of "
                  + provider.getClass().getName()
                  + " has the name of another one");
        }
        found.add(new Provided(provider, algorithm));
      }
    }
    found.sort(Comparator.comparing(each -> each.algorithm().name()));
    provided = List.copyOf(found);
  }

  private static boolean sameName(Algorithm one, Algorithm other) {
    return one.collective() == other.collective() && one.name().equals(other.name());
  }

  /**
   * Asks all providers there are.
   *
   * @throws java.util.ServiceConfigurationError if one cannot be made
   * @throws IllegalStateException if two algorithms of a collective have one name
   */
  public static ProvidedAlgorithms load() {
    return new ProvidedAlgorithms(
        ServiceLoader.load(AlgorithmProvider.class, AlgorithmProvider.class.getClassLoader()));
  }

  /**
   * The algorithm of a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public Algorithm named(Collective collective, String name) {
    Stream<Algorithm> own = provided.stream().map(Provided::algorithm);
    return Algorithms.named(
        Stream.concat(Algorithms.of(collective).stream(), own)
            .filter(algorithm -> algorithm.collective() == collective)
            .toList(),
        collective,
        name);
  }

  /**
   * The algorithm that is predicted to take the least time.
   *
   * @param ordered whether only those will do that reduce in the order of ranks
   */
  public Algorithm select(Shape shape, CostModel model, boolean ordered) {
    return Algorithms.select(candidates(shape), shape, model, ordered);
  }

  /** The predicted durations of all candidates, the least first. */
  public String predictions(Shape shape, CostModel model, boolean ordered) {
    return Algorithms.predictions(candidates(shape), shape, model, ordered);
  }

  private Stream<Algorithm> candidates(Shape shape) {
    Stream<Algorithm> own =
        provided.stream().filter(each -> each.selectable(shape)).map(Provided::algorithm);
    return Stream.concat(Algorithms.of(shape.collective()).stream(), own);
  }
}

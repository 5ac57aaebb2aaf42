package io.jgloo.collectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.AlgorithmProvider;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.allreduce.RingAllreduce;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProvidedAlgorithmsTest {
  private static final Shape SHAPE = Shape.allreduce(4, 1 << 20, 4);
  private static final CostModel COSTS = CostModel.LOOPBACK_TCP;

  @Test
  void nameOfAnotherAlgorithm_isRefused() {
    AlgorithmProvider own = () -> List.of(new RingAllreduce("ring", 4));
    AlgorithmProvider first = () -> List.of(new RingAllreduce("anotherRing", 1));
    AlgorithmProvider second = () -> List.of(new RingAllreduce("anotherRing", 2));
    for (List<AlgorithmProvider> providers : List.of(List.of(own), List.of(first, second))) {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> new ProvidedAlgorithms(providers));
      assertTrue(refused.getMessage().contains("has the name of another one"), refused::toString);
    }
  }

  @Test
  void equalCosts_sameChoiceInAnyOrderOfProviders() {
    AlgorithmProvider one = always(new Free("one"));
    AlgorithmProvider two = always(new Free("two"));
    for (List<AlgorithmProvider> providers : List.of(List.of(one, two), List.of(two, one))) {
      assertEquals("one", new ProvidedAlgorithms(providers).select(SHAPE, COSTS, false).name());
    }
  }

  /** A ring that is predicted to take no time. */
  private record Free(String name) implements Algorithm {
    @Override
    public Collective collective() {
      return Collective.ALLREDUCE;
    }

    @Override
    public Schedule schedule(Shape shape, int rank) {
      return new RingAllreduce(name, 1).schedule(shape, rank);
    }

    @Override
    public Cost cost(Shape shape) {
      return Cost.NOTHING;
    }
  }

  private static AlgorithmProvider always(Algorithm algorithm) {
    return new AlgorithmProvider() {
      @Override
      public List<Algorithm> algorithms() {
        return List.of(algorithm);
      }

      @Override
      public boolean selectable(Algorithm any, Shape shape) {
        return true;
      }
    };
  }
}

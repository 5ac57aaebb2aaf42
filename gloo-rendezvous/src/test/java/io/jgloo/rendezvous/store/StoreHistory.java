package io.jgloo.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Random operations on one key by several clients, and the question whether some order that
 * contradicts neither the clocks nor the results explains what they saw (Wing and Gong, 1993).
 */
final class StoreHistory {
  private static final String MISSING = "-";
  private static final Duration NOW = Duration.ZERO;

  /** One operation as its caller saw it. */
  record Operation(
      String kind, String first, String second, String result, long fromNanos, long toNanos) {}

  private final long seed;

  StoreHistory(long seed) {
    this.seed = seed;
  }

  Client client(int round, int client) {
    return new Client(new Random(seed * 1_000_003 + round * 101L + client), client);
  }

  static String text(List<Operation> operations) {
    return operations.stream()
        .sorted(Comparator.comparingLong(Operation::fromNanos))
        .map(Operation::toString)
        .collect(Collectors.joining("\n"));
  }

  static boolean isLinearizable(List<Operation> operations) {
    return explain(operations, 0, MISSING, new HashSet<>());
  }

  private static boolean explain(List<Operation> all, long done, String state, Set<String> failed) {
    if (done == (1L << all.size()) - 1) {
      return true;
    }
    if (!failed.add(done + " " + state)) {
      return false;
    }
    long firstEnd = Long.MAX_VALUE;
    for (int i = 0; i < all.size(); i++) {
      if ((done >> i & 1) == 0) {
        firstEnd = Math.min(firstEnd, all.get(i).toNanos());
      }
    }
    for (int i = 0; i < all.size(); i++) {
      Operation next = all.get(i);
      if ((done >> i & 1) == 0 && next.fromNanos() <= firstEnd) {
        String after = apply(next, state);
        if (after != null && explain(all, done | 1L << i, after, failed)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The state after the operation, {@code null} if its result contradicts the state before. */
  private static String apply(Operation operation, String state) {
    boolean missing = state.equals(MISSING);
    String value = missing ? "" : state;
    return switch (operation.kind()) {
      case "set" -> operation.first();
      case "get" -> operation.result().equals(state) ? state : null;
      case "check" -> operation.result().equals(String.valueOf(!missing)) ? state : null;
      case "delete" -> operation.result().equals(String.valueOf(!missing)) ? MISSING : null;
      case "append" -> value + operation.first();
      case "add" -> {
        String sum = String.valueOf((missing ? 0 : Long.parseLong(value)) + 1);
        yield operation.result().equals(sum) ? sum : null;
      }
      case "compareSet" -> {
        boolean swaps = missing ? operation.first().isEmpty() : value.equals(operation.first());
        String result = swaps ? operation.second() : missing ? operation.first() : value;
        yield operation.result().equals(result) ? (swaps ? operation.second() : state) : null;
      }
      default -> throw new AssertionError(operation.kind());
    };
  }

  /** One caller with random operations. All values are short numbers. */
  static final class Client {
    private final Random random;
    private final int id;
    private String last = "";

    private Client(Random random, int id) {
      this.random = random;
      this.id = id;
    }

    List<Operation> run(Store store, String key, int count) {
      List<Operation> operations = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String value = String.valueOf(1 + id + 3 * random.nextInt(3));
        String expected = random.nextBoolean() ? last : "";
        String kind = kind(random.nextInt(7));
        long from = System.nanoTime();
        String result = run(store, key, kind, value, expected);
        long to = System.nanoTime();
        boolean compares = kind.equals("compareSet");
        operations.add(new Operation(kind, compares ? expected : value, value, result, from, to));
        if (kind.equals("get") || compares) {
          last = result.equals(MISSING) ? "" : result;
        }
      }
      return operations;
    }

    private static String kind(int number) {
      String[] kinds = {"set", "get", "check", "delete", "append", "add", "compareSet"};
      return kinds[number];
    }

    private static String run(Store store, String key, String kind, String value, String expected) {
      switch (kind) {
        case "set" -> store.set(key, value.getBytes(UTF_8));
        case "append" -> store.append(key, value.getBytes(UTF_8));
        case "get" -> {
          try {
            return new String(store.get(key, NOW), UTF_8);
          } catch (StoreTimeoutException e) {
            return MISSING;
          }
        }
        case "check" -> {
          return String.valueOf(store.check(List.of(key)));
        }
        case "delete" -> {
          return String.valueOf(store.deleteKey(key));
        }
        case "add" -> {
          return String.valueOf(store.add(key, 1));
        }
        default -> {
          byte[] current = store.compareSet(key, expected.getBytes(UTF_8), value.getBytes(UTF_8));
          return new String(current, UTF_8);
        }
      }
      return "";
    }
  }
}

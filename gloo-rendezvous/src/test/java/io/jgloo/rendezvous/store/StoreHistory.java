package io.jgloo.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Random operations on one key by several clients, and the question whether some order that
 * contradicts neither the clocks nor the results explains what they saw (Wing and Gong, 1993).
 */
public final class StoreHistory {
  private static final String MISSING = "-";
  private static final Duration NOW = Duration.ZERO;

  /**
   * One operation as its caller saw it.
   *
   * @param result null if its caller was lost before the reply: it may have been executed at any
   *     time since, or not
   * @param toNanos end of the call; of a lost one none
   */
  public record Operation(
      String kind, String first, String second, String result, long fromNanos, long toNanos) {
    private static final long NEVER = Long.MAX_VALUE;

    /** This operation before its reply. */
    Operation(String kind, String first, String second) {
      this(kind, first, second, null, System.nanoTime(), NEVER);
    }

    private Operation ended(String result) {
      return new Operation(kind, first, second, result, fromNanos, System.nanoTime());
    }

    /** Whether its caller did not get the reply. */
    public boolean isLost() {
      return result == null;
    }
  }

  private final long seed;

  public StoreHistory(long seed) {
    this.seed = seed;
  }

  public Client client(int round, int client) {
    return new Client(new Random(seed * 1_000_003 + round * 101L + client), client);
  }

  public static String text(List<Operation> operations) {
    return operations.stream()
        .sorted(Comparator.comparingLong(Operation::fromNanos))
        .map(Operation::toString)
        .collect(Collectors.joining("\n"));
  }

  /** Whether some order explains all results, whatever became of the lost operations. */
  public static boolean isLinearizable(List<Operation> operations) {
    if (operations.size() >= Long.SIZE) {
      throw new IllegalArgumentException(operations.size() + " operations, at most 63 are allowed");
    }
    return explain(operations, 0, MISSING, new HashSet<>());
  }

  private static boolean explain(List<Operation> all, long done, String state, Set<String> failed) {
    if (!failed.add(done + " " + state)) {
      return false;
    }
    long firstEnd = Operation.NEVER;
    for (int i = 0; i < all.size(); i++) {
      if ((done >> i & 1) == 0) {
        firstEnd = Math.min(firstEnd, all.get(i).toNanos());
      }
    }
    if (firstEnd == Operation.NEVER) {
      return true; // all that are left are lost
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
    String result = operation.result();
    String value = missing ? "" : state;
    return switch (operation.kind()) {
      case "set" -> operation.first();
      case "get" -> isPossible(result, state) ? state : null;
      case "check" -> isPossible(result, String.valueOf(!missing)) ? state : null;
      case "delete" -> isPossible(result, String.valueOf(!missing)) ? MISSING : null;
      case "append" -> value + operation.first();
      case "add" -> {
        String sum = String.valueOf((missing ? 0 : Long.parseLong(value)) + 1);
        yield isPossible(result, sum) ? sum : null;
      }
      case "compareSet" -> {
        boolean swaps = missing ? operation.first().isEmpty() : value.equals(operation.first());
        String answer = swaps ? operation.second() : missing ? operation.first() : value;
        yield isPossible(result, answer) ? (swaps ? operation.second() : state) : null;
      }
      default -> throw new AssertionError(operation.kind());
    };
  }

  private static boolean isPossible(String result, String expected) {
    return result == null || result.equals(expected);
  }

  /** One caller with random operations. All values are short numbers. */
  public static final class Client {
    private final Random random;
    private final int id;
    private String last = "";

    private Client(Random random, int id) {
      this.random = random;
      this.id = id;
    }

    List<Operation> run(Store store, String key, int count) {
      List<Operation> operations = new ArrayList<>();
      run(
          store,
          key,
          count,
          operation -> {
            if (!operation.isLost()) {
              operations.add(operation);
            }
          });
      return operations;
    }

    /**
     * Makes some operations on a key.
     *
     * @param observer gets each operation twice: before the call, as a lost one, and after it
     */
    public void run(Store store, String key, int count, Consumer<Operation> observer) {
      for (int i = 0; i < count; i++) {
        String value = String.valueOf(1 + id + 3 * random.nextInt(3));
        String expected = random.nextBoolean() ? last : "";
        String kind = kind(random.nextInt(7));
        boolean compares = kind.equals("compareSet");
        Operation operation = new Operation(kind, compares ? expected : value, value);
        observer.accept(operation);
        String result = run(store, key, kind, value, expected);
        observer.accept(operation.ended(result));
        if (kind.equals("get") || compares) {
          last = result.equals(MISSING) ? "" : result;
        }
      }
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

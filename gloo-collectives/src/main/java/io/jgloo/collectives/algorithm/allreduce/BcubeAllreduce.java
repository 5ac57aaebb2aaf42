package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.InOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Bcube allreduce: ranks are digits in a mixed radix; in each round the ranks that differ in one
 * digit exchange parts of the vector with each other, then the same rounds backwards.
 *
 * <p>Fewer rounds than pairs need, each of more messages at once: for networks on which a rank can
 * talk to several others at a time. Digits are divisors of P up to the base where there are any,
 * and prime factors otherwise, so it is right for every P; Gloo's is not. What members give is
 * reduced in the order of ranks, as neighbours meet first. 2S(P-1)/P bytes; the first digit needs
 * scratch memory as large as the vector. Guo et al., "BCube: a high performance, server-centric
 * network architecture", 2009.
 *
 * <p>Drawn: allreduce bcube, 6 ranks, 6 elements.
 *
 * <pre>{@code
 *           rank 0       rank 1       rank 2       rank 3       rank 4       rank 5
 * round 1   cd>1 +ab<2   ef>2 +cd<0   ab>0 +ef<1   cd>4 +ab<5   ef>5 +cd<3   ab>3 +ef<4
 * round 2   ef>2 +ab<1   ab>0 +cd<2   cd>1 +ef<0   ef>5 +ab<4   ab>3 +cd<5   cd>4 +ef<3
 * round 3   b>3 +a<3     d>4 +c<4     f>5 +e<5     a>0 +b<0     c>1 +d<1     e>2 +f<2
 * round 4   a>3 b<3      c>4 d<4      e>5 f<5      b>0 a<0      d>1 c<1      f>2 e<2
 * round 5   ab>1 ef<2    cd>2 ab<0    ef>0 cd<1    ab>4 ef<5    cd>5 ab<3    ef>3 cd<4
 * round 6   ab>2 cd<1    cd>0 ef<2    ef>1 ab<0    ab>5 cd<4    cd>3 ef<5    ef>4 ab<3
 * }</pre>
 *
 * @param base upper bound for the members of a group, unless a prime factor of P is larger
 */
public record BcubeAllreduce(int base) implements Algorithm {
  /** Groups of four: half the rounds of pairs. */
  public BcubeAllreduce() {
    this(4);
  }

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "bcube";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    if (shape.size() == 1) {
      program.copyOwn(all);
    } else {
      new Exchange(program, shape, rank, digits(shape.size())).run(0, 1, all, 0);
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Cost sum = Cost.NOTHING;
    Range range = new Range(Space.OUTPUT, 0, shape.bytes());
    for (int members : digits(shape.size())) {
      Partition parts = Partition.pieces(shape, range, members);
      range =
          parts.part(members - 1).length() > parts.part(0).length()
              ? parts.part(members - 1)
              : parts.part(0);
      long others = members - 1L;
      long bytes = others * parts.longest();
      long messages = others * shape.messages(parts.longest());
      Cost round = new Cost(2 * others, 2 * messages, 2 * bytes, 2 * bytes, bytes);
      sum = sum.plus(round.queueing(2 * (others - 1)));
    }
    return sum;
  }

  /** How many ranks the groups of each round have; their product is the number of ranks. */
  private List<Integer> digits(int size) {
    List<Integer> digits = new ArrayList<>();
    for (int left = size; left > 1; ) {
      int digit = Math.min(base, left);
      while (digit > 1 && left % digit != 0) {
        digit--;
      }
      for (int prime = base + 1; digit == 1; prime++) {
        digit = left % prime == 0 ? prime : 1;
      }
      digits.add(digit);
      left /= digit;
    }
    return digits;
  }

  private record Exchange(Program program, Shape shape, int rank, List<Integer> digits) {
    /**
     * Reduces a range with the ranks that hold it, and back.
     *
     * @param distance between members of a group
     * @param scratch first free byte of scratch memory
     */
    void run(int round, int distance, Range range, long scratch) {
      if (round == digits.size()) {
        return;
      }
      int members = digits.get(round);
      int me = rank / distance % members;
      int first = rank - me * distance;
      Partition parts = Partition.pieces(shape, range, members);
      long slotBytes = (parts.longest() + 63) / 64 * 64;
      Range mine = parts.part(me);
      for (int i = 1; i < members; i++) {
        int to = (me + i) % members;
        int from = (me - i + members) % members;
        Range given = parts.part(to);
        program.send(first + to * distance, round == 0 ? program.own(given) : given);
        program.recv(first + from * distance, slot(scratch, slotBytes, from, mine));
      }
      Range own = round == 0 ? program.own(mine) : mine;
      InOrder.fold(
          program, members, me, member -> slot(scratch, slotBytes, member, mine), own, mine);
      run(round + 1, distance * members, mine, scratch + slotBytes * members);
      for (int i = 1; i < members; i++) {
        int from = (me - i + members) % members;
        program.send(first + (me + i) % members * distance, mine);
        program.recv(first + from * distance, parts.part(from));
      }
    }

    private static Range slot(long scratch, long slotBytes, int member, Range like) {
      return new Range(Space.SCRATCH, scratch + slotBytes * member, like.length());
    }
  }
}

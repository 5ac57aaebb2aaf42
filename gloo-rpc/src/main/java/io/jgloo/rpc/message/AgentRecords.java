package io.jgloo.rpc.message;

import io.jgloo.rendezvous.join.RecordSeal;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.transport.Address;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Names and records of a group's agents in a store.
 *
 * <p>Keys, after the prefix {@code jgloo-rpc/GROUP/}: {@code incarnations}, a counter; {@code
 * name/NAME}, the rank of that name; {@code agent/RANK}, the {@link AgentRecord}. With a job secret
 * all but the counter are sealed ({@link RecordSeal}).
 */
final class AgentRecords {
  private final Store store;
  private final int size;
  private final String prefix;
  private final RecordSeal seal;

  AgentRecords(Store store, String group, int size, Optional<JobSecret> secret) {
    this.store = store;
    this.size = size;
    prefix = StoreKeys.require("jgloo-rpc/" + group + "/");
    seal = RecordSeal.of(secret, "agent", group, 0);
  }

  /**
   * Takes a name for a rank.
   *
   * @param isGone whether the process that wrote a record has ended: its name is free
   * @throws IllegalStateException if an agent of this job has it
   */
  void claim(String name, int rank, Predicate<AgentRecord> isGone) {
    String key = prefix + "name/" + name;
    byte[] own = seal.seal(key, Integer.toString(rank).getBytes(StandardCharsets.US_ASCII));
    byte[] holder = store.compareSet(key, new byte[0], own);
    if (!seal.isAuthentic(key, holder)) {
      holder = store.compareSet(key, holder, own); // of another job, which was here before
    }
    if (!Arrays.equals(holder, own) && isFree(name, holder, isGone)) {
      holder = store.compareSet(key, holder, own);
    }
    if (!Arrays.equals(holder, own)) {
      throw new IllegalStateException(
          ("the name '" + name + "' of agent " + rank + " belongs to agent ")
              + new String(seal.payload(holder), StandardCharsets.US_ASCII));
    }
  }

  /** Whether the rank that has a name has another one now, or its process has ended. */
  private boolean isFree(String name, byte[] holder, Predicate<AgentRecord> isGone) {
    try {
      int rank = Integer.parseInt(new String(seal.payload(holder), StandardCharsets.US_ASCII));
      Optional<AgentRecord> record = rank >= 0 && rank < size ? read(rank) : Optional.empty();
      return record.isPresent() && (!record.get().name().equals(name) || isGone.test(record.get()));
    } catch (NumberFormatException | ProtocolException e) {
      return false;
    }
  }

  /** A number that no agent of the group had before. */
  long incarnation() {
    return store.add(prefix + "incarnations", 1);
  }

  /** Takes care that no agent gets this number, which was given by another store. */
  void used(long incarnation) {
    long unused = store.add(prefix + "incarnations", incarnation);
  }

  /**
   * Writes the record of an agent in place of that of a process that has ended.
   *
   * @param isAlive whether the process that wrote a record runs
   * @throws IllegalStateException if it does, or another one registers now
   * @throws AuthenticationException if a process of another job has the rank
   */
  void register(AgentRecord record, Predicate<AgentRecord> isAlive) {
    String key = key(record.id().rank());
    byte[] before = new byte[0];
    if (store.check(List.of(key))) {
      before = store.get(key, Duration.ZERO);
      requireGone(record.id().rank(), before, isAlive);
    }
    byte[] sealed = seal.seal(key, record.encode());
    if (!Arrays.equals(store.compareSet(key, before, sealed), sealed)) {
      throw new IllegalStateException(
          "another process registers agent " + record.id().rank() + " now");
    }
  }

  private void requireGone(int rank, byte[] value, Predicate<AgentRecord> isAlive) {
    Optional<String> foreign = seal.whyForeign(key(rank), value);
    AgentRecord record;
    try {
      record = AgentRecord.decode(rank, size, seal.payload(value));
    } catch (ProtocolException e) {
      if (foreign.isEmpty()) {
        throw e;
      }
      return; // no agent of this job can have written it
    }
    if (isAlive.test(record)) {
      String holder =
          ("agent " + rank + " is already registered by a live process")
              + (": '" + record.name() + "', incarnation " + record.id().incarnation())
              + (" at " + record.address());
      if (foreign.isPresent()) {
        throw new AuthenticationException(holder + "; its record: " + foreign.get());
      }
      throw new IllegalStateException(holder);
    }
  }

  /**
   * The record of an agent; empty if there is none.
   *
   * @throws AuthenticationException if a process without the job's secret has written it
   * @throws ProtocolException if it is malformed
   */
  Optional<AgentRecord> read(int rank) {
    String key = key(rank);
    if (!store.check(List.of(key))) {
      return Optional.empty();
    }
    byte[] payload = seal.open(key, store.get(key, Duration.ZERO));
    return Optional.of(AgentRecord.decode(rank, size, payload));
  }

  private String key(int rank) {
    return prefix + "agent/" + rank;
  }

  /**
   * The record of an agent in the store, which the other agents read.
   *
   * <pre>
   *    0  u32  magic "JGA1"
   *    4  i32  rank
   *    8  i32  size of the group
   *   12  i64  incarnation
   *   20  i64  bytes of messages it holds for each peer at most
   *   28  i32  length of its longest frame
   *   32  u16  length of its name, then the name in modified UTF-8
   *       the mesh's {@link Address#encode encoded address}, to the end      all big-endian
   * </pre>
   */
  record AgentRecord(AgentId id, int size, long window, int frame, String name, Address address) {

    private static final int MAGIC = 0x4a474131;

    byte[] encode() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeInt(MAGIC);
        out.writeInt(id.rank());
        out.writeInt(size);
        out.writeLong(id.incarnation());
        out.writeLong(window);
        out.writeInt(frame);
        out.writeUTF(name);
        out.write(address.encode());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }

    /**
     * Reads an encoded record.
     *
     * @param rank whose record it should be
     * @param size what the group's size should be
     * @throws ProtocolException if the bytes are not one whole record of that rank and size
     */
    static AgentRecord decode(int rank, int size, byte[] encoded) {
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
        int magic = in.readInt();
        int foundRank = in.readInt();
        int foundSize = in.readInt();
        if (magic != MAGIC || foundRank != rank || foundSize != size) {
          throw new ProtocolException(
              ("the record of agent " + rank + " of " + size + " in the store")
                  + String.format(" has magic %08x and names agent %d", magic, foundRank)
                  + (" of " + foundSize));
        }
        AgentId id = new AgentId(rank, in.readLong());
        long window = in.readLong();
        int frame = in.readInt();
        String name = in.readUTF();
        return new AgentRecord(id, size, window, frame, name, Address.decode(in.readAllBytes()));
      } catch (IOException | IllegalArgumentException e) {
        throw new ProtocolException(
            "the record of agent " + rank + " in the store is malformed: " + e.getMessage(), e);
      }
    }
  }
}

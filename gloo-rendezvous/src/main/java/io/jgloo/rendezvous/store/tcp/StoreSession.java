package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.table.StoreTable;
import io.jgloo.rendezvous.store.table.TableFullException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/**
 * One client's connection at the server: reads its requests, carries them out, writes the answers.
 *
 * <p>The server stops reading from a client that does not read its replies, or for whose replies
 * there is no room in the {@link ReplyBudget}. A connection waits for one set of keys at a time,
 * because the replies to two could not be distinguished.
 *
 * <p>In one file because requests, waits and replies decide together when the client is read from.
 *
 * <p>Threads: the server's loop only.
 */
final class StoreSession extends ChannelInboundHandlerAdapter {
  static final int COPIED_VALUE_BYTES = 4096; // longer values are written without a copy
  private static final int ANSWERS_BYTES = 64 << 10;
  private static final byte[] EMPTY = {};

  private final StoreServer server;
  private final StoreTable table;
  private final ReplyBudget replies;
  private final ReplyBudget.Account account;
  private final StoreRequestDecoder decoder;
  private ChannelHandlerContext context;
  private ByteBuf unread; // received and not yet processed
  private ByteBuf answers; // not yet handed to the channel
  private Iterator<byte[]> answering; // values of a long answer still to be written
  private long answeringBytes;
  private StoreRequest delayed; // waits for room for its reply
  private long delayedReplyBytes;
  private StoreTable.Waiter waiter;
  private boolean owesReady;
  private long waiterBytes;
  private long chargedBytes;
  private long progressNanos;
  private boolean rejected;

  StoreSession(StoreServer server, StoreTable table, long maxRequestBytes) {
    this.server = server;
    this.table = table;
    decoder = new StoreRequestDecoder(maxRequestBytes);
    replies = server.replies();
    account = replies.new Account();
  }

  /** Closes the connection at once: TLS does not wait for what the client has not read. */
  void close() {
    context.pipeline().firstContext().close().addListener(server::logFailure);
  }

  /** Closes the connection with a reason for the log. */
  void reject(String reason) {
    if (!rejected) {
      rejected = true;
      server.rejected(context.channel(), reason);
    }
    close();
  }

  /** The same for a client that did not prove to be of the job. */
  void rejectUnauthenticated(String reason) {
    countUnauthenticated(reason);
    reject(reason);
  }

  /** Counts such a client whose connection is closed otherwise. */
  void countUnauthenticated(String reason) {
    if (!rejected) {
      rejected = true;
      server.unauthenticated(context.channel(), reason);
    }
  }

  /** Whether a request or answer is under way; then {@link #progressNanos} says since when. */
  boolean isUnderWay() {
    return !replies.isWaiting(this) // else the server makes no progress
        && !isBetweenRequests();
  }

  boolean isValidated() {
    return decoder.isValidated();
  }

  /** When bytes last went in or out, or the connection was made. */
  long progressNanos() {
    return progressNanos;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    this.context = context;
    progressNanos = System.nanoTime();
    server.opened(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    forgetWait();
    charge(0);
    answering = null;
    answeringBytes = 0;
    delayed = null;
    replies.forget(this);
    if (unread != null) {
      unread.release();
      unread = null;
    }
    if (answers != null) {
      answers.release();
      answers = null;
    }
    settle();
    server.closed(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (decoder.isValidated()) {
      // A handshake is not prolonged by sending it one byte at a time.
      progressNanos = System.nanoTime();
    }
    serve(unread == null ? in : Unpooled.wrappedBuffer(unread, in));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    progressNanos = System.nanoTime();
    if (context.channel().isWritable() && unread != null) {
      serve(unread);
      flush();
    }
    settle();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      close(); // the client closed the connection
    } else {
      reject(cause.toString());
    }
  }

  /**
   * Takes over {@code in} and carries out the requests in it, as far as the client reads answers.
   */
  private void serve(ByteBuf in) {
    unread = null;
    boolean wasValidated = decoder.isValidated();
    try {
      while (context.channel().isActive()) {
        if (!context.channel().isWritable()) {
          unread = in.copy(); // the buffer is the next client's
          break;
        }
        if (answering != null) {
          answerNext();
          continue;
        }
        if (!replies.admits(delayedReplyBytes)) {
          unread = in.copy();
          replies.await(this);
          break;
        }
        StoreRequest request = delayed == null ? decoder.next(in) : delayed;
        if (request == null) {
          break;
        }
        executeOrDelay(request);
      }
      chargeHeld();
    } catch (StoreProtocolException | StoreException | TableFullException e) {
      reject(e.getMessage());
    } finally {
      in.release();
    }
    if (!wasValidated && decoder.isValidated()) {
      server.validated(this);
    }
    if (context.channel().config().isAutoRead() != (unread == null)) {
      context.channel().config().setAutoRead(unread == null);
    }
    server.watch(this);
  }

  /** Carries a request out, unless there is no room for its reply now. */
  private void executeOrDelay(StoreRequest request) throws StoreProtocolException {
    long large = replies.large(table, request);
    boolean now = replies.admits(large);
    delayed = now ? null : request;
    delayedReplyBytes = now ? 0 : large;
    if (now) {
      answeringBytes = large; // counted while a long answer is written
      server.executing();
      execute(request);
      answeringBytes = answering == null ? 0 : large;
    }
  }

  /** Bytes of the reply that has no room yet, 0 if they are few. */
  long delayedReplyBytes() {
    return delayedReplyBytes;
  }

  /** Continues after a wait for room. */
  void resume() {
    progressNanos = System.nanoTime();
    if (unread != null && context.channel().isWritable()) {
      serve(unread);
      flush();
    }
  }

  private void execute(StoreRequest request) throws StoreProtocolException {
    switch (request.opcode()) {
      case VALIDATE -> {}
      case SET -> table.set(request.key(), request.value());
      case COMPARE_SET ->
          answer(table.compareSet(request.key(), request.value(), request.values().get(1)));
      case GET -> answer(valueOrEmpty(request.key()));
      case ADD -> answer(add(request.key(), request.number()));
      case CHECK ->
          answer(table.containsAll(keys(request)) ? StoreOpcode.READY : StoreOpcode.NOT_READY);
      case WAIT -> await(request);
      case GET_NUM_KEYS -> answer((long) table.size());
      case DELETE_KEY -> answer(table.delete(request.key()) ? 1L : 0L);
      case APPEND -> append(request.key(), request.value());
      case MULTI_GET ->
          answering = request.keys().stream().map(this::valueOrEmpty).toList().iterator();
      case MULTI_SET -> multiSet(request);
      case CANCEL_WAIT -> {
        forgetWait();
        answer(StoreOpcode.CANCELED);
      }
      case PING -> reserve(Integer.BYTES).writeIntLE((int) request.number());
      case QUEUE_PUSH -> table.push(request.key(), request.value());
      case QUEUE_POP -> pop(request.key());
      case QUEUE_LEN -> answer((long) table.queueLength(request.key()));
      case LIST_KEYS -> listKeys();
      case BARRIER -> await(request);
    }
  }

  private long add(String key, long delta) {
    long sum = StoreKeys.sum(key, table.get(key), delta);
    table.set(key, StoreKeys.text(sum));
    return sum;
  }

  private void append(String key, byte[] value) {
    table.set(key, StoreKeys.concat(key, table.get(key), value));
  }

  private void multiSet(StoreRequest request) {
    for (int i = 0; i < request.keys().size(); i++) {
      table.set(request.keys().get(i), request.values().get(i));
    }
  }

  private void pop(String key) {
    answer((long) table.queueLength(key));
    byte[] value = table.pop(key);
    if (value != null) {
      answer(value);
    }
  }

  private void listKeys() {
    List<String> keys = table.keys();
    answer((long) keys.size());
    answering = keys.stream().map(key -> key.getBytes(StandardCharsets.ISO_8859_1)).iterator();
  }

  /** Goes on with a long answer, which is not gathered in memory for a client that reads slowly. */
  private void answerNext() {
    if (answering.hasNext()) {
      answer(answering.next());
      return;
    }
    answering = null;
    answeringBytes = 0;
    settle();
    if (owesReady) {
      owesReady = false;
      answer(StoreOpcode.READY);
    }
  }

  /** Waits for the keys of the request, and answers it then. */
  private void await(StoreRequest request) throws StoreProtocolException {
    if (waiter != null) {
      throw new StoreProtocolException(request.opcode() + " while another wait is pending");
    }
    StoreTable.Waiter pending = new Waiting(request);
    boolean done =
        request.opcode() == StoreOpcode.BARRIER
            ? table.barrier(pending, add(request.key(), 1) >= request.number())
            : table.await(pending);
    if (done) {
      answer(StoreOpcode.READY);
      return;
    }
    waiter = pending;
    waiterBytes = StoreRequestDecoder.bytes(request.keys());
  }

  private void forgetWait() {
    if (waiter != null) {
      table.forget(waiter);
      waiter = null;
      waiterBytes = 0;
    }
  }

  private void chargeHeld() {
    charge(
        decoder.heldBytes()
            + waiterBytes
            + (delayed == null ? 0 : StoreRequestDecoder.bytes(delayed.keys()))
            + (unread == null ? 0 : unread.readableBytes()));
  }

  private void charge(long bytes) {
    long more = bytes - chargedBytes;
    chargedBytes = bytes;
    server.charge(more, bytes);
  }

  private byte[] valueOrEmpty(String key) {
    byte[] value = table.get(key);
    return value == null ? EMPTY : value;
  }

  private static String[] keys(StoreRequest request) {
    return request.keys().toArray(String[]::new);
  }

  private void answer(byte value) {
    reserve(1).writeByte(value);
  }

  private void answer(long value) {
    reserve(Long.BYTES).writeLongLE(value);
  }

  private void answer(byte[] value) {
    if (value.length <= COPIED_VALUE_BYTES) {
      reserve(Long.BYTES + value.length).writeLongLE(value.length).writeBytes(value);
      return;
    }
    answer((long) value.length);
    handOver();
    send(Unpooled.wrappedBuffer(value)); // the table never changes an array it holds
  }

  /** Room for an answer after those gathered so far. */
  private ByteBuf reserve(int bytes) {
    if (answers != null && answers.readableBytes() + bytes > ANSWERS_BYTES) {
      flush(); // so that the channel can tell that it is not writable any more
    }
    if (answers == null) {
      answers = context.alloc().buffer(Math.max(256, bytes));
    }
    return answers;
  }

  private void send(ByteBuf bytes) {
    ChannelFuture unused =
        context.write(bytes, context.voidPromise()); // a failure comes to exceptionCaught
  }

  private void handOver() {
    if (answers != null) {
      send(answers);
      answers = null;
    }
  }

  private void flush() {
    handOver();
    context.flush();
    settle();
  }

  /** Charges the bytes that the client has not read. */
  private void settle() {
    account.settle(context.channel(), answeringBytes);
    server.watch(this);
  }

  /** Whether there is nothing that could take too long: no part of a request, no unread reply. */
  boolean isIdle() {
    return isBetweenRequests() && account.isEmpty();
  }

  private boolean isBetweenRequests() {
    return decoder.isValidated() && !decoder.isInsideRequest() && unread == null;
  }

  /** The account of bytes that the client has not read. */
  ReplyBudget.Account account() {
    settle();
    return account;
  }

  /** This connection, waiting for keys. */
  private final class Waiting extends StoreTable.Waiter {
    Waiting(StoreRequest request) {
      super(keys(request));
    }

    @Override
    public void ready() {
      try {
        answer();
      } catch (Throwable e) {
        server.failed(StoreSession.this, e); // not the client whose request ended the wait
      }
    }

    private void answer() {
      waiter = null;
      waiterBytes = 0;
      if (answering != null) {
        owesReady = true; // not within another reply
        return;
      }
      StoreSession.this.answer(StoreOpcode.READY);
      server.flushLater(StoreSession.this);
    }
  }

  /** Sends the answer to a wait that another connection's request has ended. */
  void flushWake() {
    if (!context.channel().isActive()) {
      return;
    }
    chargeHeld();
    flush();
  }
}

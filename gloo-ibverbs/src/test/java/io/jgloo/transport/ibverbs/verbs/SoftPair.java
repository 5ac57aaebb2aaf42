package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;

/** A queue pair of a software device; its methods are called with the fabric's monitor held. */
final class SoftPair {

  /** The states of the specification. */
  enum State {
    RESET,
    INITIALIZED,
    READY_TO_RECEIVE,
    READY_TO_SEND,
    ERROR,
    DESTROYED
  }

  private final SoftVerbs device;
  private final SoftFabric fabric;
  private final SoftQueue sendQueue;
  private final SoftQueue receiveQueue;
  private final QueuePairOptions options;
  private final QueuePair handle;
  private final int number;
  private final SoftWork[] sends;
  private final SoftWork[] receives;
  private int firstSend;
  private int sendCount;

  /** Send requests whose completion was not reported: they hold their place in the queue. */
  private int unreported;

  private int firstReceive;
  private int receiveCount;
  private State state = State.RESET;
  private int access;
  private PairRoute route;
  private PairTimers timers;
  private boolean executing;
  private boolean asleep;

  SoftPair(SoftVerbs device, long id, SoftQueue send, SoftQueue receive, QueuePairOptions options) {
    this.device = device;
    this.options = options;
    fabric = device.fabric();
    sendQueue = send;
    receiveQueue = receive;
    sends = new SoftWork[options.sends()];
    receives = new SoftWork[options.receives()];
    for (int i = 0; i < sends.length; i++) {
      sends[i] = new SoftWork(options.inlineBytes());
    }
    for (int i = 0; i < receives.length; i++) {
      receives[i] = new SoftWork(0);
    }
    number = fabric.add(this);
    handle = new QueuePair(id, number, options.inlineBytes());
    send.users++;
    receive.users++;
  }

  QueuePair handle() {
    return handle;
  }

  int number() {
    return number;
  }

  SoftVerbs device() {
    return device;
  }

  // States.

  boolean initialize(int flags) {
    access = flags;
    return move(State.RESET, State.INITIALIZED);
  }

  boolean readyToReceive(PairRoute to) {
    route = to;
    return move(State.INITIALIZED, State.READY_TO_RECEIVE);
  }

  boolean readyToSend(PairTimers patience) {
    timers = patience;
    return move(State.READY_TO_RECEIVE, State.READY_TO_SEND);
  }

  private boolean move(State from, State to) {
    if (state != from) {
      fabric.violated("a pair went from " + state + " to " + to);
      return false;
    }
    state = to;
    return true;
  }

  void fail() {
    if (state == State.ERROR || state == State.DESTROYED) {
      return;
    }
    state = State.ERROR;
    flush();
  }

  private void flush() {
    while (sendCount > 0) {
      tellSend(sends[firstSend], WorkStatus.FLUSHED, 0);
    }
    while (receiveCount > 0) {
      tellReceive(WorkStatus.FLUSHED, 0, 0, 0);
    }
  }

  void destroy() {
    state = State.DESTROYED;
    fabric.remove(this);
    sendQueue.users--;
    receiveQueue.users--;
    sendCount = 0;
    receiveCount = 0;
  }

  // Posting.

  int postSend(long first, long refused) {
    for (long at = first; at != 0; at = SendWork.next(at)) {
      int errno = checkSend(at);
      if (errno != 0) {
        Memory.putLong(refused, at);
        return errno;
      }
      sends[(firstSend + sendCount++) % sends.length].takeSend(at);
      unreported++;
    }
    asleep = device.faults().fallsAsleep();
    if (state == State.ERROR) {
      flush();
    } else if (!fabric.delays()) {
      advance(true);
    }
    return 0;
  }

  private int checkSend(long at) {
    if (state != State.READY_TO_SEND && state != State.ERROR) {
      fabric.violated("a send was posted in state " + state);
      return VerbsException.EINVAL;
    }
    if (unreported == sends.length) {
      fabric.violated("more than " + sends.length + " sends were posted");
      return VerbsException.ENOMEM;
    }
    boolean inline = (SendWork.flags(at) & SendWork.INLINE) != 0;
    if (inline && SendWork.length(at) > options.inlineBytes()) {
      fabric.violated("a send of " + SendWork.length(at) + " bytes is to be inline");
      return VerbsException.EINVAL;
    }
    return 0;
  }

  int postReceive(long first, long refused) {
    for (long at = first; at != 0; at = ReceiveWork.next(at)) {
      if (state == State.RESET || receiveCount == receives.length) {
        fabric.violated("receive number " + receiveCount + " was posted in state " + state);
        Memory.putLong(refused, at);
        return state == State.RESET ? VerbsException.EINVAL : VerbsException.ENOMEM;
      }
      receives[(firstReceive + receiveCount++) % receives.length].takeReceive(at);
    }
    if (state == State.ERROR) {
      flush();
    } else if (!fabric.delays() && route != null && fabric.find(route.remoteNumber()) != null) {
      fabric.find(route.remoteNumber()).advance(true); // it may have waited for a receive
    }
    return 0;
  }

  // Moving bytes.

  /** Executes what is posted, in order; some of it only, unless all is said. */
  void advance(boolean all) {
    if (executing || asleep) {
      return;
    }
    executing = true;
    try {
      while (sendCount > 0 && state == State.READY_TO_SEND && (all || fabric.toss())) {
        if (!execute(sends[firstSend])) {
          return;
        }
      }
    } finally {
      executing = false;
    }
  }

  /** Executes a request; false if it has to wait. */
  private boolean execute(SoftWork work) {
    SoftPair target = fabric.find(route.remoteNumber());
    WorkStatus injected = device.faults().nextSend();
    if (injected != null) {
      broke(work, injected);
      return true;
    }
    if (target == null || target.state == State.ERROR) {
      if (device.faults().staysSilent()) {
        return false;
      }
      broke(work, WorkStatus.RETRIES_EXCEEDED);
      return true;
    }
    if (target.state.compareTo(State.READY_TO_RECEIVE) < 0 || device.faults().isCutOff()) {
      return false;
    }
    if (work.length > device.maxMessageBytes()) {
      broke(work, WorkStatus.LOCAL_LENGTH_ERROR);
      return true;
    }
    boolean takesReceive = work.opcode != SendWork.RDMA_WRITE && work.opcode != SendWork.RDMA_READ;
    if (takesReceive && target.receiveCount == 0) {
      fabric.noteRnr();
      if (timers.rnrRetries() != 7) {
        broke(work, WorkStatus.RNR_RETRIES_EXCEEDED);
        return true;
      }
      return false;
    }
    WorkStatus status = local(work);
    if (status == WorkStatus.SUCCESS) {
      status =
          switch (work.opcode) {
            case SendWork.SEND, SendWork.SEND_WITH_IMMEDIATE -> send(work, target);
            case SendWork.RDMA_WRITE, SendWork.RDMA_WRITE_WITH_IMMEDIATE -> write(work, target);
            case SendWork.RDMA_READ -> read(work, target);
            default -> WorkStatus.LOCAL_PAIR_OPERATION_ERROR;
          };
    }
    if (status == WorkStatus.SUCCESS) {
      tellSend(work, status, opcodeOf(work.opcode));
    } else {
      broke(work, status);
    }
    return true;
  }

  private static int opcodeOf(int sent) {
    return switch (sent) {
      case SendWork.SEND, SendWork.SEND_WITH_IMMEDIATE -> Completion.SEND;
      case SendWork.RDMA_READ -> Completion.RDMA_READ;
      default -> Completion.RDMA_WRITE;
    };
  }

  private WorkStatus local(SoftWork work) {
    int needed = work.opcode == SendWork.RDMA_READ ? MemoryRegion.LOCAL_WRITE : 0;
    boolean fine =
        work.length == 0
            || work.isInline()
            || device.reaches(work.localKey, work.address, work.length, needed);
    return fine ? WorkStatus.SUCCESS : WorkStatus.LOCAL_PROTECTION_ERROR;
  }

  private WorkStatus send(SoftWork work, SoftPair target) {
    SoftWork receive = target.receives[target.firstReceive];
    WorkStatus injected = target.device.faults().nextReceive();
    if (injected != null) {
      target.brokeReceiving(injected);
      return WorkStatus.REMOTE_OPERATION_ERROR;
    }
    if (work.length > receive.length) {
      target.brokeReceiving(WorkStatus.LOCAL_LENGTH_ERROR);
      return WorkStatus.REMOTE_INVALID_REQUEST_ERROR;
    }
    if (work.length > 0) {
      if (!target.device.reaches(
          receive.localKey, receive.address, work.length, MemoryRegion.LOCAL_WRITE)) {
        target.brokeReceiving(WorkStatus.LOCAL_PROTECTION_ERROR);
        return WorkStatus.REMOTE_OPERATION_ERROR;
      }
      work.copyTo(receive.address);
    }
    target.tellReceive(WorkStatus.SUCCESS, Completion.RECEIVE, work.length, work.immediate);
    return WorkStatus.SUCCESS;
  }

  private WorkStatus write(SoftWork work, SoftPair target) {
    if (work.length > 0) {
      if (!target.permits(work, MemoryRegion.REMOTE_WRITE)) {
        return WorkStatus.REMOTE_ACCESS_ERROR;
      }
      work.copyTo(work.remoteAddress);
    }
    if (work.opcode == SendWork.RDMA_WRITE_WITH_IMMEDIATE) {
      target.tellReceive(
          WorkStatus.SUCCESS, Completion.RECEIVE_RDMA_WITH_IMMEDIATE, work.length, work.immediate);
    }
    return WorkStatus.SUCCESS;
  }

  private WorkStatus read(SoftWork work, SoftPair target) {
    if (work.length > 0) {
      if (!target.permits(work, MemoryRegion.REMOTE_READ)) {
        return WorkStatus.REMOTE_ACCESS_ERROR;
      }
      Memory.copy(work.remoteAddress, work.address, work.length);
    }
    return WorkStatus.SUCCESS;
  }

  private boolean permits(SoftWork work, int needed) {
    boolean fine =
        (access & needed) != 0
            && device.reaches(work.remoteKey, work.remoteAddress, work.length, needed);
    if (!fine) {
      device.raise(new AsyncEvent(AsyncEvent.PAIR_ACCESS_ERROR, handle.handle()));
      fail();
    }
    return fine;
  }

  private void broke(SoftWork work, WorkStatus status) {
    tellSend(work, status, 0);
    fail();
  }

  private void brokeReceiving(WorkStatus status) {
    tellReceive(status, 0, 0, 0);
    fail();
  }

  private void tellSend(SoftWork work, WorkStatus status, int opcode) {
    firstSend = (firstSend + 1) % sends.length;
    sendCount--;
    if (status != WorkStatus.SUCCESS || work.isSignaled()) {
      unreported = sendCount; // those before it are known to be complete now
      sendQueue.add(work.id, status, opcode, 0, 0, number);
    }
  }

  private void tellReceive(WorkStatus status, int opcode, int length, int immediate) {
    SoftWork work = receives[firstReceive];
    firstReceive = (firstReceive + 1) % receives.length;
    receiveCount--;
    receiveQueue.add(work.id, status, opcode, length, immediate, number);
  }
}

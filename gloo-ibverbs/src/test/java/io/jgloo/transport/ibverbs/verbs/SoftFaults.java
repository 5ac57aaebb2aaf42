package io.jgloo.transport.ibverbs.verbs;

/** What is to go wrong at one software device; guarded by the fabric's monitor. */
public final class SoftFaults {

  private final SoftFabric fabric;
  private WorkStatus nextSend;
  private WorkStatus nextReceive;
  private int skipSends;
  private boolean silent;
  private boolean cutOff;
  private boolean sleeps;
  private int refusals;
  private int refusalErrno;

  SoftFaults(SoftFabric fabric) {
    this.fabric = fabric;
  }

  /** A send that is executed after this many others ends with this status. */
  public void failSend(WorkStatus status, int after) {
    synchronized (fabric) {
      nextSend = status;
      skipSends = after;
    }
  }

  /** The next message that arrives ends with this status. */
  public void failReceive(WorkStatus status) {
    synchronized (fabric) {
      nextReceive = status;
    }
  }

  /** A send to a destroyed pair is never completed, as rxe does with 7 retries. */
  public void staySilent() {
    synchronized (fabric) {
      silent = true;
    }
  }

  /** Nothing that is sent arrives, or may arrive again. */
  public void cutOff(boolean cut) {
    synchronized (fabric) {
      cutOff = cut;
    }
  }

  /**
   * What is posted next is left lying until more is posted, as rxe does if it misses its wake-up.
   */
  public void sleep() {
    synchronized (fabric) {
      sleeps = true;
    }
  }

  /** The next registrations fail. */
  public void refuseRegistrations(int count, int errno) {
    synchronized (fabric) {
      refusals = count;
      refusalErrno = errno;
    }
  }

  // The rest is called with the monitor held.

  WorkStatus nextSend() {
    if (nextSend == null || skipSends-- > 0) {
      return null;
    }
    WorkStatus status = nextSend;
    nextSend = null;
    return status;
  }

  WorkStatus nextReceive() {
    WorkStatus status = nextReceive;
    nextReceive = null;
    return status;
  }

  boolean staysSilent() {
    return silent;
  }

  boolean isCutOff() {
    return cutOff;
  }

  /** Whether what has been posted now is left lying. */
  boolean fallsAsleep() {
    boolean asleep = sleeps;
    sleeps = false;
    return asleep;
  }

  /** The errno of a registration that is to fail, or 0. */
  int refusal() {
    if (refusals == 0) {
      return 0;
    }
    refusals--;
    return refusalErrno;
  }
}

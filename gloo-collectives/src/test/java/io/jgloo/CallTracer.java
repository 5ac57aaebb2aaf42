package io.jgloo;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.MonitorInfo;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.StepRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Runs {@link HotPathMain} in a JVM under a debugger and records what its traced calls enter.
 *
 * <p>The calling thread is stepped through its call, one instruction after the other, while all
 * other threads stand still, so no other thread does part of its work.
 */
final class CallTracer {

  /**
   * What one call did.
   *
   * @param classes of ours in which a method was entered; a lambda counts as its class
   * @param lockings by method of ours: how many locks it took. A lock is a monitor, one of
   *     java.util.concurrent.locks, or an AtomicBoolean that is set by compareAndSet
   * @param locks how many different ones
   */
  record Trace(Set<String> classes, Map<String, Integer> lockings, int locks) {

    int countLockings() {
      return lockings.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  private static final String OURS = "io.jgloo.";
  private static final String MAIN = HotPathMain.class.getName();
  private static final int MONITORENTER = 0xc2;
  private static final int PATIENCE_MILLIS = 60_000;

  /** Calls that are made until enough of them are traced. */
  private static final int CALLS = 300;

  /** Fewer, if more than half of these are equal. */
  private static final int TRACES = 5;

  private final VirtualMachine vm;
  private final boolean cells;
  private final List<Trace> traces = new ArrayList<>();
  private final List<EventRequest> tracing = new ArrayList<>();
  private final Set<String> classes = new TreeSet<>();
  private final Map<String, Integer> lockings = new TreeMap<>();
  private final Set<ObjectReference> locks = new HashSet<>();
  private boolean hasMonitor;
  private boolean ended;

  private CallTracer(VirtualMachine vm, boolean cells) {
    this.vm = vm;
    this.cells = cells;
  }

  /**
   * Traces some calls.
   *
   * @param memory attribute of the device
   */
  static List<Trace> trace(String memory) throws Exception {
    ListeningConnector connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(each -> each.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("port").setValue("0");
    arguments.get("timeout").setValue(String.valueOf(PATIENCE_MILLIS));
    String address = connector.startListening(arguments);
    Process process = start(address, memory);
    try {
      CallTracer tracer = new CallTracer(connector.accept(arguments), !memory.equals("off"));
      tracer.run();
      return tracer.traces;
    } finally {
      process.destroyForcibly().waitFor();
      connector.stopListening(arguments);
    }
  }

  private static Process start(String address, String memory) throws java.io.IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address,
            "-Xint", // a compiled method that is running reports no entries
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            MAIN,
            String.valueOf(CALLS),
            memory)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private void run() throws Exception {
    ClassPrepareRequest prepared = vm.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(MAIN);
    prepared.enable();
    vm.resume();
    while (!ended) {
      EventSet events = vm.eventQueue().remove(PATIENCE_MILLIS);
      if (events == null) {
        throw new AssertionError("the traced process hangs");
      }
      for (Event event : events) {
        handle(event);
      }
      if (!ended) {
        events.resume();
      }
    }
  }

  private void handle(Event event) throws Exception {
    if (event instanceof ClassPrepareEvent prepared) {
      stopAt(prepared.referenceType(), "traced", EventRequest.SUSPEND_ALL);
      stopAt(prepared.referenceType(), "ended", EventRequest.SUSPEND_EVENT_THREAD);
    } else if (event instanceof MethodEntryEvent entry) {
      entered(entry.method(), entry.thread());
    } else if (event instanceof StepEvent step) {
      stepped(step.location(), step.thread());
    } else if (event instanceof BreakpointEvent stop) {
      if (stop.location().method().name().equals("traced")) {
        begin(stop.thread());
      } else if (!tracing.isEmpty()) {
        end();
      }
    } else if (event instanceof VMDisconnectEvent) {
      ended = true;
    }
  }

  private void stopAt(ReferenceType type, String method, int suspended) {
    Location start = type.methodsByName(method).get(0).location();
    BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(start);
    request.setSuspendPolicy(suspended);
    request.enable();
  }

  /** All threads are suspended; from here on only this one goes on. */
  private void begin(ThreadReference thread) throws IncompatibleThreadStateException {
    for (ThreadReference other : vm.allThreads()) {
      if (!other.equals(thread) && (!isIdle(other) || (cells && blocks(other)))) {
        return; // it may hold a lock or need a wake-up, so this call is not traced
      }
    }
    StepRequest steps =
        vm.eventRequestManager()
            .createStepRequest(thread, StepRequest.STEP_MIN, StepRequest.STEP_INTO);
    steps.addClassFilter(OURS + "*");
    tracing.add(steps);
    for (String filter :
        List.of(
            OURS + "*",
            "java.util.concurrent.locks.*",
            "java.util.concurrent.atomic.AtomicBoolean")) {
      MethodEntryRequest entries = vm.eventRequestManager().createMethodEntryRequest();
      entries.addThreadFilter(thread);
      entries.addClassFilter(filter);
      tracing.add(entries);
    }
    for (EventRequest request : tracing) {
      request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      request.enable();
    }
    vm.allThreads().stream().filter(each -> !each.equals(thread)).forEach(ThreadReference::suspend);
  }

  /** Whether a thread is none of ours, or waits in the kernel. */
  private static boolean isIdle(ThreadReference thread) throws IncompatibleThreadStateException {
    List<StackFrame> frames = thread.frames();
    return frames.isEmpty()
        || frames.get(0).location().method().isNative()
        || frames.stream().noneMatch(each -> isOurs(each.location()));
  }

  /** Whether a thread waits for a wake-up of a peer, or is about to. */
  private static boolean blocks(ThreadReference thread) throws IncompatibleThreadStateException {
    return thread.frames().stream().anyMatch(each -> isBlock(each.location()));
  }

  private static boolean isBlock(Location at) {
    return isOurs(at) && at.method().name().equals("block");
  }

  private void end() {
    vm.eventRequestManager().deleteEventRequests(tracing);
    tracing.clear();
    classes.remove(MAIN);
    traces.add(new Trace(new TreeSet<>(classes), new TreeMap<>(lockings), locks.size()));
    classes.clear();
    lockings.clear();
    locks.clear();
    Trace latest = traces.get(traces.size() - 1);
    ended = traces.size() == TRACES || Collections.frequency(traces, latest) > TRACES / 2;
    vm.resume(); // the others
  }

  private void entered(Method method, ThreadReference thread)
      throws IncompatibleThreadStateException {
    String type = method.declaringType().name();
    if (type.startsWith(OURS)) {
      classes.add(type.replaceFirst("\\$\\$Lambda.*", ""));
      if (method.isSynchronized()) {
        took(method);
        ObjectReference object = thread.frame(0).thisObject();
        locks.add(object == null ? method.declaringType().classObject() : object);
      }
      return;
    }
    boolean takes =
        type.startsWith("java.util.concurrent.atomic.")
            ? method.name().equals("compareAndSet")
            : Set.of("lock", "tryLock", "lockInterruptibly").contains(method.name());
    Location caller = thread.frame(1).location();
    if (takes && isOurs(caller)) {
      took(caller.method());
      locks.add(thread.frame(0).thisObject());
    }
  }

  private void stepped(Location at, ThreadReference thread)
      throws IncompatibleThreadStateException {
    if (hasMonitor) { // since the step before, which had not entered it yet
      for (MonitorInfo each : thread.ownedMonitorsAndFrames()) {
        if (each.stackDepth() == 0) {
          locks.add(each.monitor());
        }
      }
      hasMonitor = false;
    }
    int opcode = at.method().bytecodes()[(int) at.codeIndex()] & 0xff;
    if (opcode == MONITORENTER) {
      took(at.method());
      hasMonitor = true;
    }
  }

  private void took(Method by) {
    lockings.merge(by.declaringType().name() + "." + by.name(), 1, Integer::sum);
  }

  private static boolean isOurs(Location at) {
    return at.declaringType().name().startsWith(OURS);
  }
}

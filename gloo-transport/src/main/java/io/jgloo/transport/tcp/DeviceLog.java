package io.jgloo.transport.tcp;

import io.jgloo.transport.tcp.socket.Interfaces;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs what the devices of a process have in common once, at INFO, and not for each of them.
 *
 * <p>Ranks that are threads of one process often have a device each. A device logs a line at DEBUG
 * while another one is open that has logged a line of the same key.
 *
 * <p><em>Threads</em>: any.
 */
final class DeviceLog {

  private static final System.Logger LOG = System.getLogger(DeviceLog.class.getName());

  /** Which open device has logged what at INFO. */
  private static final Map<String, DeviceLog> LOGGED = new ConcurrentHashMap<>();

  private final String device;

  DeviceLog(String device) {
    this.device = device;
  }

  /** Logs where the device listens; as a warning, if that may not be what was meant. */
  void choice(Interfaces.Choice choice, String sockets, String congestion) {
    String address = choice.address().getHostAddress();
    String how = sockets + " sockets, congestion control " + congestion;
    log(
        choice.doubtful() ? Level.WARNING : Level.INFO,
        address + " " + how,
        (" listens on " + address + " (" + choice.reason() + "; " + how)
            + ("); candidates: " + Interfaces.candidates()));
  }

  /**
   * Logs how ranks of this host are reached.
   *
   * @param key the text without the numbers of ranks
   */
  void routes(String key, String text) {
    log(Level.INFO, key, text);
  }

  private void log(Level level, String key, String text) {
    boolean first = LOGGED.putIfAbsent(key, this) == null;
    LOG.log(first ? level : Level.DEBUG, "{0}{1}", device, text);
  }

  /** The device is closed: another one may log the same. */
  void close() {
    LOGGED.values().removeIf(each -> each == this);
  }
}

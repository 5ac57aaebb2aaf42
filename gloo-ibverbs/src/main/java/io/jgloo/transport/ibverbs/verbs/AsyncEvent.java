package io.jgloo.transport.ibverbs.verbs;

/**
 * Something that happened to a device, outside of any work request.
 *
 * @param type one of the codes here, as in C
 * @param element handle of the queue pair or completion queue it is about; else the port or 0
 */
public record AsyncEvent(int type, long element) {

  public static final int QUEUE_ERROR = 0;
  public static final int PAIR_FATAL = 1;
  public static final int PAIR_REQUEST_ERROR = 2;
  public static final int PAIR_ACCESS_ERROR = 3;
  public static final int CONNECTION_ESTABLISHED = 4;
  public static final int SEND_QUEUE_DRAINED = 5;
  public static final int PATH_MIGRATED = 6;
  public static final int PATH_MIGRATION_ERROR = 7;
  public static final int DEVICE_FATAL = 8;
  public static final int PORT_ACTIVE = 9;
  public static final int PORT_ERROR = 10;
  public static final int LID_CHANGE = 11;
  public static final int KEY_TABLE_CHANGE = 12;
  public static final int SUBNET_MANAGER_CHANGE = 13;
  public static final int SHARED_QUEUE_ERROR = 14;
  public static final int SHARED_QUEUE_LIMIT = 15;
  public static final int LAST_REQUEST_REACHED = 16;
  public static final int CLIENT_REREGISTER = 17;
  public static final int GID_CHANGE = 18;
  public static final int WORK_QUEUE_FATAL = 19;
}

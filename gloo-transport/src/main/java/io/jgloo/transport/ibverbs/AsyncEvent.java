package io.jgloo.transport.ibverbs;

/**
 * Something that happened to a device, outside of any work request.
 *
 * @param type one of the codes here, as in C
 * @param element handle of the queue pair or completion queue it is about; else the port or 0
 */
record AsyncEvent(int type, long element) {

  static final int QUEUE_ERROR = 0;
  static final int PAIR_FATAL = 1;
  static final int PAIR_REQUEST_ERROR = 2;
  static final int PAIR_ACCESS_ERROR = 3;
  static final int CONNECTION_ESTABLISHED = 4;
  static final int SEND_QUEUE_DRAINED = 5;
  static final int PATH_MIGRATED = 6;
  static final int PATH_MIGRATION_ERROR = 7;
  static final int DEVICE_FATAL = 8;
  static final int PORT_ACTIVE = 9;
  static final int PORT_ERROR = 10;
  static final int LID_CHANGE = 11;
  static final int KEY_TABLE_CHANGE = 12;
  static final int SUBNET_MANAGER_CHANGE = 13;
  static final int SHARED_QUEUE_ERROR = 14;
  static final int SHARED_QUEUE_LIMIT = 15;
  static final int LAST_REQUEST_REACHED = 16;
  static final int CLIENT_REREGISTER = 17;
  static final int GID_CHANGE = 18;
  static final int WORK_QUEUE_FATAL = 19;
}

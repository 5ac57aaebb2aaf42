package io.jgloo.transport.ibverbs.verbs;

/** The status of a completed work request; codes as in C's {@code enum ibv_wc_status}. */
public enum WorkStatus {
  SUCCESS(0),
  LOCAL_LENGTH_ERROR(1),
  LOCAL_PAIR_OPERATION_ERROR(2),
  LOCAL_CONTEXT_OPERATION_ERROR(3),
  LOCAL_PROTECTION_ERROR(4),
  FLUSHED(5),
  WINDOW_BIND_ERROR(6),
  BAD_RESPONSE_ERROR(7),
  LOCAL_ACCESS_ERROR(8),
  REMOTE_INVALID_REQUEST_ERROR(9),
  REMOTE_ACCESS_ERROR(10),
  REMOTE_OPERATION_ERROR(11),
  RETRIES_EXCEEDED(12),
  RNR_RETRIES_EXCEEDED(13),
  LOCAL_DOMAIN_VIOLATION(14),
  REMOTE_INVALID_READ_REQUEST(15),
  REMOTE_ABORTED(16),
  INVALID_CONTEXT_NUMBER(17),
  INVALID_CONTEXT_STATE(18),
  FATAL_ERROR(19),
  RESPONSE_TIMEOUT(20),
  GENERAL_ERROR(21),
  TAG_MATCHING_ERROR(22),
  TAG_MATCHING_INCOMPLETE(23);

  private static final WorkStatus[] ALL = values();

  private final int code;

  WorkStatus(int code) {
    this.code = code;
  }

  /** The status of a code; a code no version of the library has yet is a general error. */
  public static WorkStatus of(int code) {
    for (WorkStatus status : ALL) {
      if (status.code == code) {
        return status;
      }
    }
    return GENERAL_ERROR;
  }

  public int code() {
    return code;
  }
}

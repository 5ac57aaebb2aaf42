package io.jgloo.transport.ibverbs;

/** How a work request ended; in the order of C's {@code enum ibv_wc_status}. */
enum WorkStatus {
  SUCCESS,
  LOCAL_LENGTH_ERROR,
  LOCAL_PAIR_OPERATION_ERROR,
  LOCAL_CONTEXT_OPERATION_ERROR,
  LOCAL_PROTECTION_ERROR,
  FLUSHED,
  WINDOW_BIND_ERROR,
  BAD_RESPONSE_ERROR,
  LOCAL_ACCESS_ERROR,
  REMOTE_INVALID_REQUEST_ERROR,
  REMOTE_ACCESS_ERROR,
  REMOTE_OPERATION_ERROR,
  RETRIES_EXCEEDED,
  RNR_RETRIES_EXCEEDED,
  LOCAL_DOMAIN_VIOLATION,
  REMOTE_INVALID_READ_REQUEST,
  REMOTE_ABORTED,
  INVALID_CONTEXT_NUMBER,
  INVALID_CONTEXT_STATE,
  FATAL_ERROR,
  RESPONSE_TIMEOUT,
  GENERAL_ERROR,
  TAG_MATCHING_ERROR,
  TAG_MATCHING_INCOMPLETE;

  private static final WorkStatus[] ALL = values();

  /** The status of a code; a code no version of the library has yet is a general error. */
  static WorkStatus of(int code) {
    return code >= 0 && code < ALL.length ? ALL[code] : GENERAL_ERROR;
  }

  int code() {
    return ordinal();
  }
}

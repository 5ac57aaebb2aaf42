package io.jgloo.lightgbm;

/** An error that a call of LightGBM reports: bad parameters or data, or a failed collective. */
public final class LightGbmException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LightGbmException(String message) {
    super(message);
  }
}

package io.jgloo.transport.ibverbs;

import static org.junit.jupiter.api.Assumptions.abort;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.Gid;
import io.jgloo.transport.ibverbs.verbs.PortState;
import io.jgloo.transport.ibverbs.verbs.Verbs;
import io.jgloo.transport.ibverbs.verbs.VerbsException;
import io.jgloo.transport.ibverbs.verbs.VerbsLibrary;

/**
 * The RDMA port of this machine that tests use.
 *
 * <p>Without one they are skipped; the environment variable JGLOO_RDMA=required makes that a
 * failure, so that a machine which was made to have one cannot pass for nothing.
 *
 * @param device its name, such as {@code rxe0}
 * @param gidIndex the entry of its GID table to be reached by
 */
public record RdmaPort(Verbs verbs, String device, int gidIndex) {

  public static final int NUMBER = 1;

  public static RdmaPort find() throws VerbsException {
    try {
      Verbs verbs = VerbsLibrary.load();
      for (String device : verbs.devices()) {
        long context = verbs.open(device);
        try {
          PortState state = verbs.queryPort(context, NUMBER);
          if (state.state() == PortState.ACTIVE) {
            return new RdmaPort(verbs, device, gidIndex(verbs, context, state));
          }
        } finally {
          verbs.close(context);
        }
      }
      return absent("no RDMA device with an active port");
    } catch (UnavailableException e) {
      return absent(e.getMessage());
    }
  }

  private static RdmaPort absent(String cause) {
    if ("required".equals(System.getenv("JGLOO_RDMA"))) {
      throw new IllegalStateException("JGLOO_RDMA=required, but: " + cause);
    }
    return abort(cause);
  }

  /** RoCE v2 by an IPv4 address, else whatever comes first. */
  private static int gidIndex(Verbs verbs, long context, PortState state) throws VerbsException {
    for (int i = 0; i < state.gids(); i++) {
      Gid gid = verbs.queryGid(context, NUMBER, i);
      if (gid.isMappedIpv4() && gid.type() == Gid.Type.ROCE_2) {
        return i;
      }
    }
    return 0;
  }
}

package io.jgloo.transport.ibverbs.verbs;

/**
 * The offsets of the members of libibverbs' structures, in bytes, on 64-bit machines.
 *
 * <p>They cannot change: programs compiled against the C header contain the same numbers. A test
 * compares them with that header.
 */
final class Layout {

  // struct ibv_context
  static final int CONTEXT_DEVICE = 0;
  static final int CONTEXT_ASYNC_FILE = 268;

  // struct ibv_device_attr
  static final int DEVICE_BYTES = 232;
  static final int DEVICE_MAX_REGION = 80;
  static final int DEVICE_MAX_PAIRS = 108;
  static final int DEVICE_MAX_REQUESTS = 112;
  static final int DEVICE_MAX_RANGES = 120;
  static final int DEVICE_MAX_ENTRIES = 132;
  static final int DEVICE_MAX_REGIONS = 136;
  static final int DEVICE_MAX_READS_TARGET = 144;
  static final int DEVICE_MAX_READS_ORIGIN = 156;

  // struct ibv_port_attr
  static final int PORT_BYTES = 52;
  static final int PORT_STATE = 0;
  static final int PORT_MAX_MTU = 4;
  static final int PORT_ACTIVE_MTU = 8;
  static final int PORT_GIDS = 12;
  static final int PORT_MAX_MESSAGE = 20;
  static final int PORT_LID = 34;
  static final int PORT_LINK_LAYER = 46;

  // struct ibv_async_event
  static final int EVENT_BYTES = 16;
  static final int EVENT_ELEMENT = 0;
  static final int EVENT_TYPE = 8;

  // struct ibv_mr
  static final int REGION_LOCAL_KEY = 36;
  static final int REGION_REMOTE_KEY = 40;

  // struct ibv_comp_channel
  static final int CHANNEL_FILE = 8;

  // struct ibv_qp
  static final int PAIR_NUMBER = 52;

  // struct ibv_qp_init_attr
  static final int INIT_BYTES = 64;
  static final int INIT_SEND_QUEUE = 8;
  static final int INIT_RECEIVE_QUEUE = 16;
  static final int INIT_SENDS = 32;
  static final int INIT_RECEIVES = 36;
  static final int INIT_SEND_RANGES = 40;
  static final int INIT_RECEIVE_RANGES = 44;
  static final int INIT_INLINE = 48;
  static final int INIT_TYPE = 52;
  static final int INIT_SIGNAL_ALL = 56;

  // struct ibv_qp_attr, with its ah_attr and that one's grh
  static final int ATTRIBUTE_BYTES = 144;
  static final int ATTRIBUTE_STATE = 0;
  static final int ATTRIBUTE_MTU = 8;
  static final int ATTRIBUTE_RECEIVE_PACKET = 20;
  static final int ATTRIBUTE_SEND_PACKET = 24;
  static final int ATTRIBUTE_REMOTE_NUMBER = 28;
  static final int ATTRIBUTE_ACCESS = 32;
  static final int ATTRIBUTE_REMOTE_GID = 56;
  static final int ATTRIBUTE_GID_INDEX = 76;
  static final int ATTRIBUTE_HOP_LIMIT = 77;
  static final int ATTRIBUTE_TRAFFIC_CLASS = 78;
  static final int ATTRIBUTE_REMOTE_LID = 80;
  static final int ATTRIBUTE_SERVICE_LEVEL = 82;
  static final int ATTRIBUTE_GLOBAL = 85;
  static final int ATTRIBUTE_ROUTE_PORT = 86;
  static final int ATTRIBUTE_KEY_INDEX = 120;
  static final int ATTRIBUTE_READS_ORIGIN = 126;
  static final int ATTRIBUTE_READS_TARGET = 127;
  static final int ATTRIBUTE_MIN_RNR_TIMER = 128;
  static final int ATTRIBUTE_PORT = 129;
  static final int ATTRIBUTE_TIMEOUT = 130;
  static final int ATTRIBUTE_RETRIES = 131;
  static final int ATTRIBUTE_RNR_RETRIES = 132;

  private Layout() {}
}

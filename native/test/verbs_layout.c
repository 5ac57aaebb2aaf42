/*
 * Prints what the real header says of the structures that Java fills and reads by offset: lines of
 * name and number. VerbsLayoutTest compares them with the constants of Layout.java and with what
 * SendWork, ReceiveWork and Completion write. The offsets of src/verbs.h are compared right here.
 *
 *     make -C native -s verbs-layout
 */

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdio.h>

#include "../src/verbs.h"

#define AT(name, type, member) printf("%s %zu\n", #name, offsetof(struct type, member))
#define BYTES(name, type) printf("%s %zu\n", #name, sizeof(struct type))
#define SAME(offset, member)                                                                       \
  _Static_assert(offset == offsetof(struct ibv_context, ops.member), #member " has moved")

SAME(JGLOO_POLL, poll_cq);
SAME(JGLOO_REQUEST_EVENT, req_notify_cq);
SAME(JGLOO_POST_SEND, post_send);
SAME(JGLOO_POST_RECEIVE, post_recv);

static void device(void) {
  AT(CONTEXT_DEVICE, ibv_context, device);
  AT(CONTEXT_ASYNC_FILE, ibv_context, async_fd);
  BYTES(DEVICE_BYTES, ibv_device_attr);
  AT(DEVICE_MAX_REGION, ibv_device_attr, max_mr_size);
  AT(DEVICE_MAX_PAIRS, ibv_device_attr, max_qp);
  AT(DEVICE_MAX_REQUESTS, ibv_device_attr, max_qp_wr);
  AT(DEVICE_MAX_RANGES, ibv_device_attr, max_sge);
  AT(DEVICE_MAX_ENTRIES, ibv_device_attr, max_cqe);
  AT(DEVICE_MAX_REGIONS, ibv_device_attr, max_mr);
  AT(DEVICE_MAX_READS_TARGET, ibv_device_attr, max_qp_rd_atom);
  AT(DEVICE_MAX_READS_ORIGIN, ibv_device_attr, max_qp_init_rd_atom);
  BYTES(PORT_BYTES, ibv_port_attr);
  AT(PORT_STATE, ibv_port_attr, state);
  AT(PORT_MAX_MTU, ibv_port_attr, max_mtu);
  AT(PORT_ACTIVE_MTU, ibv_port_attr, active_mtu);
  AT(PORT_GIDS, ibv_port_attr, gid_tbl_len);
  AT(PORT_MAX_MESSAGE, ibv_port_attr, max_msg_sz);
  AT(PORT_LID, ibv_port_attr, lid);
  AT(PORT_LINK_LAYER, ibv_port_attr, link_layer);
  BYTES(EVENT_BYTES, ibv_async_event);
  AT(EVENT_ELEMENT, ibv_async_event, element);
  AT(EVENT_TYPE, ibv_async_event, event_type);
}

static void objects(void) {
  AT(REGION_LOCAL_KEY, ibv_mr, lkey);
  AT(REGION_REMOTE_KEY, ibv_mr, rkey);
  AT(CHANNEL_FILE, ibv_comp_channel, fd);
  AT(PAIR_NUMBER, ibv_qp, qp_num);
  BYTES(INIT_BYTES, ibv_qp_init_attr);
  AT(INIT_SEND_QUEUE, ibv_qp_init_attr, send_cq);
  AT(INIT_RECEIVE_QUEUE, ibv_qp_init_attr, recv_cq);
  AT(INIT_SENDS, ibv_qp_init_attr, cap.max_send_wr);
  AT(INIT_RECEIVES, ibv_qp_init_attr, cap.max_recv_wr);
  AT(INIT_SEND_RANGES, ibv_qp_init_attr, cap.max_send_sge);
  AT(INIT_RECEIVE_RANGES, ibv_qp_init_attr, cap.max_recv_sge);
  AT(INIT_INLINE, ibv_qp_init_attr, cap.max_inline_data);
  AT(INIT_TYPE, ibv_qp_init_attr, qp_type);
  AT(INIT_SIGNAL_ALL, ibv_qp_init_attr, sq_sig_all);
}

static void attributes(void) {
  BYTES(ATTRIBUTE_BYTES, ibv_qp_attr);
  AT(ATTRIBUTE_STATE, ibv_qp_attr, qp_state);
  AT(ATTRIBUTE_MTU, ibv_qp_attr, path_mtu);
  AT(ATTRIBUTE_RECEIVE_PACKET, ibv_qp_attr, rq_psn);
  AT(ATTRIBUTE_SEND_PACKET, ibv_qp_attr, sq_psn);
  AT(ATTRIBUTE_REMOTE_NUMBER, ibv_qp_attr, dest_qp_num);
  AT(ATTRIBUTE_ACCESS, ibv_qp_attr, qp_access_flags);
  AT(ATTRIBUTE_REMOTE_GID, ibv_qp_attr, ah_attr.grh.dgid);
  AT(ATTRIBUTE_GID_INDEX, ibv_qp_attr, ah_attr.grh.sgid_index);
  AT(ATTRIBUTE_HOP_LIMIT, ibv_qp_attr, ah_attr.grh.hop_limit);
  AT(ATTRIBUTE_TRAFFIC_CLASS, ibv_qp_attr, ah_attr.grh.traffic_class);
  AT(ATTRIBUTE_REMOTE_LID, ibv_qp_attr, ah_attr.dlid);
  AT(ATTRIBUTE_SERVICE_LEVEL, ibv_qp_attr, ah_attr.sl);
  AT(ATTRIBUTE_GLOBAL, ibv_qp_attr, ah_attr.is_global);
  AT(ATTRIBUTE_ROUTE_PORT, ibv_qp_attr, ah_attr.port_num);
  AT(ATTRIBUTE_KEY_INDEX, ibv_qp_attr, pkey_index);
  AT(ATTRIBUTE_READS_ORIGIN, ibv_qp_attr, max_rd_atomic);
  AT(ATTRIBUTE_READS_TARGET, ibv_qp_attr, max_dest_rd_atomic);
  AT(ATTRIBUTE_MIN_RNR_TIMER, ibv_qp_attr, min_rnr_timer);
  AT(ATTRIBUTE_PORT, ibv_qp_attr, port_num);
  AT(ATTRIBUTE_TIMEOUT, ibv_qp_attr, timeout);
  AT(ATTRIBUTE_RETRIES, ibv_qp_attr, retry_cnt);
  AT(ATTRIBUTE_RNR_RETRIES, ibv_qp_attr, rnr_retry);
}

static void requests(void) {
  BYTES(SEND.bytes, ibv_send_wr);
  AT(SEND.id, ibv_send_wr, wr_id);
  AT(SEND.next, ibv_send_wr, next);
  AT(SEND.ranges, ibv_send_wr, sg_list);
  AT(SEND.count, ibv_send_wr, num_sge);
  AT(SEND.opcode, ibv_send_wr, opcode);
  AT(SEND.flags, ibv_send_wr, send_flags);
  AT(SEND.immediate, ibv_send_wr, imm_data);
  AT(SEND.remoteAddress, ibv_send_wr, wr.rdma.remote_addr);
  AT(SEND.remoteKey, ibv_send_wr, wr.rdma.rkey);
  BYTES(RECEIVE.bytes, ibv_recv_wr);
  AT(RECEIVE.id, ibv_recv_wr, wr_id);
  AT(RECEIVE.next, ibv_recv_wr, next);
  AT(RECEIVE.ranges, ibv_recv_wr, sg_list);
  AT(RECEIVE.count, ibv_recv_wr, num_sge);
  BYTES(RANGE.bytes, ibv_sge);
  AT(RANGE.address, ibv_sge, addr);
  AT(RANGE.length, ibv_sge, length);
  AT(RANGE.key, ibv_sge, lkey);
  BYTES(DONE.bytes, ibv_wc);
  AT(DONE.id, ibv_wc, wr_id);
  AT(DONE.status, ibv_wc, status);
  AT(DONE.opcode, ibv_wc, opcode);
  AT(DONE.vendorError, ibv_wc, vendor_err);
  AT(DONE.length, ibv_wc, byte_len);
  AT(DONE.immediate, ibv_wc, imm_data);
  AT(DONE.pair, ibv_wc, qp_num);
}

/* Codes that the Java classes have by number. */
static void codes(void) {
#define CODE(name, value) printf("%s %d\n", #name, (int)(value))
  CODE(SendWork.RDMA_WRITE, IBV_WR_RDMA_WRITE);
  CODE(SendWork.RDMA_WRITE_WITH_IMMEDIATE, IBV_WR_RDMA_WRITE_WITH_IMM);
  CODE(SendWork.SEND, IBV_WR_SEND);
  CODE(SendWork.SEND_WITH_IMMEDIATE, IBV_WR_SEND_WITH_IMM);
  CODE(SendWork.RDMA_READ, IBV_WR_RDMA_READ);
  CODE(SendWork.FENCE, IBV_SEND_FENCE);
  CODE(SendWork.SIGNALED, IBV_SEND_SIGNALED);
  CODE(SendWork.INLINE, IBV_SEND_INLINE);
  CODE(Completion.SEND, IBV_WC_SEND);
  CODE(Completion.RDMA_WRITE, IBV_WC_RDMA_WRITE);
  CODE(Completion.RDMA_READ, IBV_WC_RDMA_READ);
  CODE(Completion.RECEIVE, IBV_WC_RECV);
  CODE(Completion.RECEIVE_RDMA_WITH_IMMEDIATE, IBV_WC_RECV_RDMA_WITH_IMM);
  CODE(MemoryRegion.LOCAL_WRITE, IBV_ACCESS_LOCAL_WRITE);
  CODE(MemoryRegion.REMOTE_WRITE, IBV_ACCESS_REMOTE_WRITE);
  CODE(MemoryRegion.REMOTE_READ, IBV_ACCESS_REMOTE_READ);
  CODE(PortState.ACTIVE, IBV_PORT_ACTIVE);
  CODE(PortState.INFINIBAND, IBV_LINK_LAYER_INFINIBAND);
  CODE(PortState.ETHERNET, IBV_LINK_LAYER_ETHERNET);
  CODE(AsyncEvent.QUEUE_ERROR, IBV_EVENT_CQ_ERR);
  CODE(AsyncEvent.PAIR_FATAL, IBV_EVENT_QP_FATAL);
  CODE(AsyncEvent.PAIR_REQUEST_ERROR, IBV_EVENT_QP_REQ_ERR);
  CODE(AsyncEvent.PAIR_ACCESS_ERROR, IBV_EVENT_QP_ACCESS_ERR);
  CODE(AsyncEvent.DEVICE_FATAL, IBV_EVENT_DEVICE_FATAL);
  CODE(AsyncEvent.PORT_ACTIVE, IBV_EVENT_PORT_ACTIVE);
  CODE(AsyncEvent.PORT_ERROR, IBV_EVENT_PORT_ERR);
  CODE(AsyncEvent.GID_CHANGE, IBV_EVENT_GID_CHANGE);
  CODE(AsyncEvent.WORK_QUEUE_FATAL, IBV_EVENT_WQ_FATAL);
  CODE(PairAttributes.INITIALIZED, IBV_QPS_INIT);
  CODE(PairAttributes.READY_TO_RECEIVE, IBV_QPS_RTR);
  CODE(PairAttributes.READY_TO_SEND, IBV_QPS_RTS);
  CODE(PairAttributes.ERROR, IBV_QPS_ERR);
  CODE(PairAttributes.STATE, IBV_QP_STATE);
  CODE(PairAttributes.ACCESS, IBV_QP_ACCESS_FLAGS);
  CODE(PairAttributes.KEY_INDEX, IBV_QP_PKEY_INDEX);
  CODE(PairAttributes.PORT, IBV_QP_PORT);
  CODE(PairAttributes.ROUTE, IBV_QP_AV);
  CODE(PairAttributes.MTU, IBV_QP_PATH_MTU);
  CODE(PairAttributes.TIMEOUT, IBV_QP_TIMEOUT);
  CODE(PairAttributes.RETRIES, IBV_QP_RETRY_CNT);
  CODE(PairAttributes.RNR_RETRIES, IBV_QP_RNR_RETRY);
  CODE(PairAttributes.RECEIVE_PACKET, IBV_QP_RQ_PSN);
  CODE(PairAttributes.READS_ORIGIN, IBV_QP_MAX_QP_RD_ATOMIC);
  CODE(PairAttributes.MIN_RNR_TIMER, IBV_QP_MIN_RNR_TIMER);
  CODE(PairAttributes.SEND_PACKET, IBV_QP_SQ_PSN);
  CODE(PairAttributes.READS_TARGET, IBV_QP_MAX_DEST_RD_ATOMIC);
  CODE(PairAttributes.REMOTE_NUMBER, IBV_QP_DEST_QPN);
  CODE(NativeVerbs.RELIABLE_CONNECTION, IBV_QPT_RC);
  CODE(STATUS.FLUSHED, IBV_WC_WR_FLUSH_ERR);
  CODE(STATUS.REMOTE_ACCESS_ERROR, IBV_WC_REM_ACCESS_ERR);
  CODE(STATUS.RETRIES_EXCEEDED, IBV_WC_RETRY_EXC_ERR);
  CODE(STATUS.RNR_RETRIES_EXCEEDED, IBV_WC_RNR_RETRY_EXC_ERR);
  CODE(STATUS.GENERAL_ERROR, IBV_WC_GENERAL_ERR);
  CODE(STATUS.TAG_MATCHING_INCOMPLETE, IBV_WC_TM_RNDV_INCOMPLETE);
}

int main(void) {
  device();
  objects();
  attributes();
  requests();
  codes();
  return 0;
}

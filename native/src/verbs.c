/*
 * The four verbs that <infiniband/verbs.h> has only as inline functions, as functions that can be
 * called: each goes to the device's driver, through the table of pointers in the context.
 *
 * Java can call those pointers, but JNA takes 565 ns for a call by pointer and 80 for one by name,
 * and these are the calls of every message. A chain of work requests, or room for many completions,
 * goes with one call.
 *
 * Neither the header nor the library is needed to build this, so every libjgloo.so has it. Programs
 * compiled against the header contain the same offsets, so they cannot change; test/verbs_layout.c
 * compares them where the header is installed.
 */

#include "verbs.h"

/* A driver's function: the first bytes of every object point to the context it belongs to. */
#define DRIVER(object, offset, type) (*(type *)(*(char **)(object) + (offset)))

int32_t jgloo_verbs_post_send(void *pair, void *first, void **refused) {
  return DRIVER(pair, JGLOO_POST_SEND, jgloo_post)(pair, first, refused);
}

int32_t jgloo_verbs_post_receive(void *pair, void *first, void **refused) {
  return DRIVER(pair, JGLOO_POST_RECEIVE, jgloo_post)(pair, first, refused);
}

int32_t jgloo_verbs_poll(void *queue, int32_t most, void *completions) {
  return DRIVER(queue, JGLOO_POLL, jgloo_poll)(queue, most, completions);
}

int32_t jgloo_verbs_request_event(void *queue) {
  return DRIVER(queue, JGLOO_REQUEST_EVENT, jgloo_request)(queue, 0);
}

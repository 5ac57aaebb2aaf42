/* What verbs.c knows of the structures of libibverbs, on 64-bit machines. */

#include <stdint.h>

/* Offsets in struct ibv_context: its second member is the table of a driver's functions. */
enum {
  JGLOO_POLL = 96,
  JGLOO_REQUEST_EVENT = 104,
  JGLOO_POST_SEND = 208,
  JGLOO_POST_RECEIVE = 216
};

typedef int (*jgloo_post)(void *pair, void *first, void **refused);
typedef int (*jgloo_poll)(void *queue, int most, void *completions);
typedef int (*jgloo_request)(void *queue, int solicited_only);

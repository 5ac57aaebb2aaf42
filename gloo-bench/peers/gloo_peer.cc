// Times C++ Gloo's collectives: gloo_peer MODE OPERATION RANK SIZE DIRECTORY SECONDS BYTES...
//
// MODE is "default" (the library's event-loop thread, function API) or "polling" (class algorithms
// on synchronous, busy-polling pairs). Ranks meet in a FileStore and use the loopback interface.
// Sizes are bytes per rank as on the Java side: of all blocks together where there are blocks.
// Allreduce is verified at every size before it is timed.
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/allreduce_ring.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/math.h>
#include <gloo/reduce_scatter.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "timing.h"

namespace {

using Context = std::shared_ptr<gloo::Context>;

void polling(const Context& context) {
  for (int i = 0; i < context->size; i++) {
    if (i != context->rank) context->getPair(i)->setSync(true, true);
  }
}

// One call of an operation on buffers it keeps; made anew for every size.
std::function<void()> functionApi(
    const Context& context, const std::string& operation, float* in, float* out, size_t count) {
  if (operation == "allreduce") {
    return [=] {
      gloo::AllreduceOptions o(context);
      o.setOutput(out, count);
      o.setReduceFunction([](void* c, const void* a, const void* b, size_t n) {
        gloo::sum<float>(c, a, b, n);
      });
      gloo::allreduce(o);
    };
  }
  if (operation == "broadcast") {
    return [=] {
      gloo::BroadcastOptions o(context);
      o.setOutput(out, count);
      o.setRoot(0);
      gloo::broadcast(o);
    };
  }
  if (operation == "barrier") {
    return [=] {
      gloo::BarrierOptions o(context);
      gloo::barrier(o);
    };
  }
  if (operation == "allgather") {
    size_t part = count / context->size;
    return [=] {
      gloo::AllgatherOptions o(context);
      o.setInput(in, part);
      o.setOutput(out, part * context->size);
      gloo::allgather(o);
    };
  }
  if (operation == "alltoall") {
    size_t total = count / context->size * context->size;
    return [=] {
      gloo::AlltoallOptions o(context);
      o.setInput(in, total);
      o.setOutput(out, total);
      gloo::alltoall(o);
    };
  }
  if (operation == "reduceScatter") {
    std::vector<int> parts(context->size);
    for (int i = 0; i < context->size; i++) {
      parts[i] = count / context->size + (i < int(count % context->size));
    }
    auto algorithm = std::make_shared<gloo::ReduceScatterHalvingDoubling<float>>(
        context, std::vector<float*>{out}, int(count), parts);
    return [=] { algorithm->run(); };
  }
  die("unknown operation");
  return {};
}

void verify(const Context& context, const std::function<void()>& call, float* out, size_t count) {
  int size = context->size;
  for (size_t i = 0; i < count; i++) out[i] = context->rank + i % 7;
  call();
  for (size_t i = 0; i < count; i++) {
    if (out[i] != size * (size - 1) / 2 + size * float(i % 7)) die("wrong result");
  }
  std::memset(out, 0, count * sizeof(float));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 8) die("usage: gloo_peer MODE OPERATION RANK SIZE DIRECTORY SECONDS BYTES...");
  bool sync = !std::strcmp(argv[1], "polling");
  std::string operation = argv[2];
  int rank = std::atoi(argv[3]), size = std::atoi(argv[4]);
  double seconds = std::atof(argv[6]);

  gloo::transport::tcp::attr attributes;
  attributes.iface = "lo";
  auto device = gloo::transport::tcp::CreateDevice(attributes);
  gloo::rendezvous::FileStore store(argv[5]);
  auto connected = std::make_shared<gloo::rendezvous::Context>(rank, size);
  connected->connectFullMesh(store, device);
  Context context = connected;
  // A class algorithm that is destroyed while its peer still sends to it ends the process.
  if (sync && (operation != "allreduce" || argc > 8)) die("polling mode: allreduce of one size");

  for (int i = 7; i < argc; i++) {
    long bytes = std::atol(argv[i]);
    size_t count = bytes / sizeof(float);
    std::vector<float> in(count + size), out((count + size) * size);
    std::function<void()> call;
    std::shared_ptr<gloo::AllreduceRing<float>> ring;
    if (sync) {
      ring = std::make_shared<gloo::AllreduceRing<float>>(
          context, std::vector<float*>{out.data()}, int(count));
      if (i == 7) polling(context);
      call = [ring] { ring->run(); };
    } else {
      call = functionApi(context, operation, in.data(), out.data(), count);
    }
    if (operation == "allreduce") verify(context, call, out.data(), count);
    int calls = warmup_calls(bytes, seconds);
    double start = now_us();
    for (int k = 0; k < calls; k++) call();
    double each = (now_us() - start) / calls;

    // Rank 0 decides how often; the others read it from the store.
    int wanted = clamp_calls(seconds * 1e6 / each);
    std::string key = "calls/" + std::to_string(i);
    if (rank == 0) {
      store.set(key, std::vector<char>((char*)&wanted, (char*)&wanted + sizeof wanted));
    } else {
      std::memcpy(&wanted, store.get(key).data(), sizeof wanted);
    }
    std::vector<double> us(wanted);
    for (int k = 0; k < wanted; k++) {
      double t = now_us();
      call();
      us[k] = now_us() - t;
    }
    if (rank == 0) print_times(operation.c_str(), bytes, us.data(), wanted);
  }
  return 0;
}

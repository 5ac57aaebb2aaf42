// One rank of C++ Gloo that says and hears what GlooTalkTest does, at the level of pairs:
// gloo_talk RANK SIZE DIRECTORY [--factory]
//
// Compiles against the library of before May 2023, as Debian has it.
#include <gloo/barrier.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

using Context = std::shared_ptr<gloo::Context>;

unsigned char pattern(int from, int to, size_t at) { return from * 31 + to * 7 + at; }

void fill(std::vector<unsigned char>& bytes, int from, int to) {
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = pattern(from, to, i);
}

void check(const std::vector<unsigned char>& bytes, int from, int to) {
  for (size_t i = 0; i < bytes.size(); i++) {
    if (bytes[i] != pattern(from, to, i)) throw std::runtime_error("a wrong byte");
  }
}

// Every rank to every other, whoever posts first.
void exchange(const Context& context, uint64_t slot, size_t size) {
  std::vector<std::unique_ptr<gloo::transport::UnboundBuffer>> ins, outs;
  std::vector<std::vector<unsigned char>> in(context->size), out(context->size);
  for (int peer = 0; peer < context->size; peer++) {
    in[peer].resize(size);
    out[peer].resize(size);
    if (peer == context->rank) continue;
    fill(out[peer], context->rank, peer);
    outs.push_back(context->createUnboundBuffer(out[peer].data(), size));
    outs.back()->send(peer, slot);
    ins.push_back(context->createUnboundBuffer(in[peer].data(), size));
    ins.back()->recv(peer, slot);
  }
  for (auto& each : ins) each->waitRecv();
  for (auto& each : outs) each->waitSend();
  for (int peer = 0; peer < context->size; peer++) {
    if (peer != context->rank) check(in[peer], peer, context->rank);
  }
}

// Every rank hears all others, in any order.
void fromAny(const Context& context, uint64_t slot) {
  std::vector<int> others;
  std::vector<std::unique_ptr<gloo::transport::UnboundBuffer>> outs;
  int own = context->rank;
  for (int peer = 0; peer < context->size; peer++) {
    if (peer == context->rank) continue;
    others.push_back(peer);
    outs.push_back(context->createUnboundBuffer(&own, sizeof own));
    outs.back()->send(peer, slot);
  }
  std::vector<bool> heard(context->size);
  for (size_t i = 0; i < others.size(); i++) {
    int said = -1, from = -1;
    auto in = context->createUnboundBuffer(&said, sizeof said);
    in->recv(others, slot);
    in->waitRecv(&from);
    if (said != from || heard[from]) throw std::runtime_error("heard the wrong rank");
    heard[from] = true;
  }
  for (auto& each : outs) each->waitSend();
}

// Bound buffers: two messages for two places of one buffer.
void bound(const Context& context, int slot, size_t size) {
  std::vector<std::unique_ptr<gloo::transport::Buffer>> ins, outs;
  std::vector<std::vector<unsigned char>> in(context->size), out(context->size);
  for (int peer = 0; peer < context->size; peer++) {
    in[peer].resize(2 * size);
    out[peer].resize(2 * size);
    if (peer == context->rank) continue;
    fill(out[peer], context->rank, peer);
    ins.push_back(context->getPair(peer)->createRecvBuffer(slot, in[peer].data(), 2 * size));
    outs.push_back(context->getPair(peer)->createSendBuffer(slot, out[peer].data(), 2 * size));
  }
  for (auto& each : outs) {
    each->send(0, size, 0);
    each->send(size, size, size);
  }
  for (int i = 0; i < 2; i++) {
    for (auto& each : ins) each->waitRecv();
    for (auto& each : outs) each->waitSend();
  }
  for (int peer = 0; peer < context->size; peer++) {
    if (peer != context->rank) check(in[peer], peer, context->rank);
  }
  exchange(context, 1000, 0); // nobody may still be sending when a buffer goes
}

void talk(const Context& context) {
  exchange(context, 7, 4);
  exchange(context, 7, 0);
  exchange(context, 0x04deadbeef000000, 3000001);
  fromAny(context, 10);
  bound(context, 11, 100000);
  fromAny(context, 10);
  gloo::BarrierOptions options(context);
  gloo::barrier(options);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  try {
    gloo::transport::tcp::attr attributes;
    attributes.iface = "lo";
    auto device = gloo::transport::tcp::CreateDevice(attributes);
    gloo::rendezvous::FileStore store(argv[3]);
    auto connected = std::make_shared<gloo::rendezvous::Context>(std::atoi(argv[1]), std::atoi(argv[2]));
    connected->connectFullMesh(store, device);
    Context context = connected;
    talk(context);
    if (argc > 4) {
      gloo::rendezvous::ContextFactory factory(context);
      talk(factory.makeContext(device));
      talk(factory.makeContext(device));
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rank %s: %s\n", argv[1], e.what());
    return 3;
  }
  return 0;
}

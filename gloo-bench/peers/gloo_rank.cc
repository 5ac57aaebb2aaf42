// One rank of a job of C++ Gloo, for meshes that C++ and Java ranks share:
//
//   gloo_rank --rank R --size N --store file:///dir|redis://host:port [--prefix P] --dump DIR
//             [--host H] [--timeout MS] [--base B] [--lazy] [--factory] (--plan FILE | CASE)
//
// A case is a line such as "allreduce algorithm=ring type=float32 reduce=sum count=1000 root=0";
// a plan is a file of them, done in order on one mesh. Outputs are written to DIR/rank-R.bin one
// after the other, and DIR/rank-R.txt has a line for each: its bytes and the case. What an input
// holds follows from (seed, rank, input, index) alone; io.jgloo.bench.foreign has the same formula.
// "begin I" is printed before case I.
//
// Compiles against the library of before May 2023 (Debian's) and the current one, whose stores are
// shared pointers. Exit codes: 0 done, 2 usage, 3 the library threw.
#include <gloo/allgather.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/config.h>
#include <gloo/gather.h>
#include <gloo/math.h>
#include <gloo/reduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/prefix_store.h>
#if GLOO_USE_REDIS
#include <gloo/rendezvous/redis_store.h>
#endif
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>
// No package installs this header, but the current library's sources have it.
#if __has_include(<gloo/gatherv.h>)
#include <gloo/gatherv.h>
#define HAS_GATHERV 1
#endif

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using Context = std::shared_ptr<gloo::Context>;
using Counts = std::vector<size_t>;

struct Misused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One line of a plan.
class Case {
 public:
  explicit Case(const std::string& line) : line(line) {
    std::istringstream words(line);
    words >> operation;
    for (std::string word; words >> word;) {
      size_t equals = word.find('=');
      if (equals == std::string::npos) throw Misused("no '=' in '" + word + "' of '" + line + "'");
      values_[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }

  std::string text(const std::string& key, const std::string& otherwise) const {
    auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
  }

  int64_t number(const std::string& key, int64_t otherwise) const {
    auto found = values_.find(key);
    return found == values_.end() ? otherwise : std::stoll(found->second);
  }

  std::string type() const { return text("type", "float32"); }

  std::string line;
  std::string operation;

 private:
  std::map<std::string, std::string> values_;
};

uint64_t mixed(uint64_t seed, int rank, int input, uint64_t index) {
  uint64_t z = seed * 0x9e3779b97f4a7c15u + ((uint64_t)rank << 48 | (uint64_t)input << 40 | index);
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Floats lie in [0.5, 2) with either sign, made of bits so that nothing is rounded on the way.
uint64_t ordinary(const std::string& type, uint64_t h) {
  if (type == "float32") return (h & 0xffffff) + 0x3f000000 + (h >> 63 << 31);
  if (type == "float64") return (h & 0x1fffffffffffff) + 0x3fe0000000000000u + (h >> 63 << 63);
  if (type == "float16") return (h & 0x7ff) + 0x3800 + (h >> 63 << 15);
  return h;
}

// Zeros of both signs, infinities, and but for float16 NaNs of several kinds: for min and max.
uint64_t special(const std::string& type, uint64_t h) {
  static const uint32_t singles[] = {0, 0x80000000, 0x7fc00000, 0xffc00001,
                                     0x7f800000, 0xff800000, 0x3f800000, 0x7fc01234};
  static const uint64_t doubles[] = {0, 1ull << 63, 0x7ff8000000000000, 0xfff8000000000001,
                                     0x7ff0000000000000, 0xfff0000000000000, 0x3ff0000000000000,
                                     0x7ff8000000001234};
  static const uint16_t halves[] = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x0001, 0x8001};
  if (type == "float32") return singles[h & 7];
  if (type == "float64") return doubles[h & 7];
  if (type == "float16") return halves[h & 7];
  return h;
}

template <typename T>
std::vector<T> filled(const Case& c, int rank, int input, size_t count) {
  std::string type = c.type();
  bool specials = c.text("values", "ordinary") == "special";
  uint64_t seed = c.number("seed", 1);
  std::vector<T> values(count + 1);  // so that data() is never null
  for (size_t i = 0; i < count; i++) {
    uint64_t h = mixed(seed, rank, input, i);
    uint64_t bits = specials ? special(type, h) : ordinary(type, h);
    std::memcpy((void*)&values[i], &bits, sizeof(T));
  }
  return values;
}

// Counts of the variants with unequal parts: some are zero.
size_t part(size_t count, int rank) { return rank % 3 == 2 ? 0 : count + rank; }

size_t part(size_t count, int from, int to) {
  return (from + to) % 3 == 2 ? 0 : count + from + 2 * to;
}

size_t total(const Counts& counts) {
  size_t sum = 0;
  for (size_t each : counts) sum += each;
  return sum;
}

using Function = std::function<void(void*, const void*, const void*, size_t)>;

template <typename T>
Function function(const std::string& name) {
  using V = void*;
  using C = const void*;
  if (name == "sum") return [](V o, C a, C b, size_t n) { gloo::sum<T>(o, a, b, n); };
  if (name == "product") return [](V o, C a, C b, size_t n) { gloo::product<T>(o, a, b, n); };
  if (name == "min") return [](V o, C a, C b, size_t n) { gloo::min<T>(o, a, b, n); };
  if (name == "max") return [](V o, C a, C b, size_t n) { gloo::max<T>(o, a, b, n); };
  throw Misused("no reduce=" + name);
}

// A rank at work: what all cases share.
class Rank {
 public:
  Rank(Context context, std::string folder) : context_(context) {
    std::string stem = folder + "/rank-" + std::to_string(context->rank);
    outputs_.open(stem + ".bin", std::ios::binary | std::ios::trunc);
    index_.open(stem + ".txt", std::ios::trunc);
    if (!outputs_ || !index_) throw Misused("cannot write " + stem + ".bin and .txt");
  }

  void run(const std::vector<Case>& plan) {
    for (size_t i = 0; i < plan.size(); i++) {
      std::cout << "begin " << i << std::endl;
      written_ = 0;
      run(plan[i]);
      index_ << written_ << " " << plan[i].line << std::endl;
      outputs_.flush();
    }
    // A rank that leaves closes its connections, while a peer may still read.
    gloo::BarrierOptions last(context_);
    last.setTag(0xffffffff);
    gloo::barrier(last);
  }

 private:
  void run(const Case& c) {
    std::string type = c.type();
    if (type == "int8") return run<uint8_t, int8_t>(c);
    if (type == "uint8") return run<uint8_t, uint8_t>(c);
    if (type == "int32") return run<uint32_t, int32_t>(c);
    if (type == "int64") return run<uint64_t, int64_t>(c);
    if (type == "uint64") return run<uint64_t, uint64_t>(c);
    if (type == "float16") return run<uint16_t, gloo::float16>(c);
    if (type == "float32") return run<uint32_t, float>(c);
    if (type == "float64") return run<uint64_t, double>(c);
    throw Misused("no type=" + type);
  }

  // What only moves elements needs their width alone, which is less to compile.
  template <typename W, typename T>
  void run(const Case& c) {
    size_t count = c.number("count", 0);
    if (move<W>(c, count) || reduced<T>(c, count)) return;
    throw Misused("no operation " + c.operation);
  }

  template <typename T>
  bool move(const Case& c, size_t count) {
    const std::string& what = c.operation;
    if (what == "barrier") {
      barrier(c);
    } else if (what == "broadcast") {
      broadcast<T>(c, count);
    } else if (what == "scatter") {
      scatter<T>(c, count);
    } else if (what == "gather") {
      gather<T>(c, count);
    } else if (what == "gatherv") {
      gatherv<T>(c, count);
    } else if (what == "allgather") {
      allgather<T>(c, count);
    } else if (what == "allgatherv") {
      allgatherv<T>(c, count);
    } else if (what == "alltoall") {
      alltoall<T>(c, count);
    } else if (what == "alltoallv") {
      alltoallv<T>(c, count);
    } else if (what == "sendRecv") {
      sendRecv<T>(c, count);
    } else if (what == "recvAny") {
      recvAny<T>(c, count);
    } else {
      return false;
    }
    return true;
  }

  template <typename T>
  bool reduced(const Case& c, size_t count) {
    if (c.operation == "allreduce") {
      allreduce<T>(c, count);
    } else if (c.operation == "reduce") {
      reduce<T>(c, count);
    } else {
      return false;
    }
    return true;
  }

  template <typename O>
  void common(O& options, const Case& c) {
    options.setTag(c.number("tag", 0));
    if (c.number("timeout", 0) > 0) {
      options.setTimeout(std::chrono::milliseconds(c.number("timeout", 0)));
    }
  }

  template <typename T>
  void keep(const T* values, size_t count) {
    outputs_.write((const char*)values, count * sizeof(T));
    written_ += count * sizeof(T);
  }

  // Every run of a repeated case must leave the same, so the last one's output is kept.
  void repeated(const Case& c, const std::function<void()>& once) {
    for (int64_t i = 0; i < c.number("runs", 1); i++) once();
  }

  void barrier(const Case& c) {
    gloo::BarrierOptions o(context_);
    common(o, c);
    repeated(c, [&] { gloo::barrier(o); });
  }

  template <typename T>
  void broadcast(const Case& c, size_t count) {
    int root = c.number("root", 0);
    std::vector<T> in = filled<T>(c, rank(), 0, count), out(count + 1);
    gloo::BroadcastOptions o(context_);
    common(o, c);
    o.setRoot(root);
    if (rank() == root) o.setInput(in.data(), count);
    o.setOutput(out.data(), count);
    repeated(c, [&] { gloo::broadcast(o); });
    keep(out.data(), count);
  }

  template <typename T>
  void scatter(const Case& c, size_t count) {
    int root = c.number("root", 0);
    std::vector<T> in = filled<T>(c, rank(), 0, count * size()), out(count + 1);
    gloo::ScatterOptions o(context_);
    common(o, c);
    o.setRoot(root);
    if (rank() == root) {
      std::vector<T*> parts;
      for (int i = 0; i < size(); i++) parts.push_back(in.data() + i * count);
      o.setInputs(parts, count);
    }
    o.setOutput(out.data(), count);
    repeated(c, [&] { gloo::scatter(o); });
    keep(out.data(), count);
  }

  template <typename T>
  void gather(const Case& c, size_t count) {
    int root = c.number("root", 0);
    std::vector<T> in = filled<T>(c, rank(), 0, count), out(count * size() + 1);
    gloo::GatherOptions o(context_);
    common(o, c);
    o.setRoot(root);
    o.setInput(in.data(), count);
    if (rank() == root) o.setOutput(out.data(), count * size());
    repeated(c, [&] { gloo::gather(o); });
    if (rank() == root) keep(out.data(), count * size());
  }

  Counts parts(size_t count) {
    Counts counts;
    for (int i = 0; i < size(); i++) counts.push_back(part(count, i));
    return counts;
  }

  template <typename T>
  void gatherv(const Case& c, size_t count) {
#if HAS_GATHERV
    int root = c.number("root", 0);
    Counts counts = parts(count);
    std::vector<T> in = filled<T>(c, rank(), 0, counts[rank()]), out(total(counts) + 1);
    gloo::GathervOptions o(context_);
    common(o, c);
    o.setRoot(root);
    o.setInput(in.data(), counts[rank()]);
    o.setOutput(out.data(), counts);  // the others read their count from it
    repeated(c, [&] { gloo::gatherv(o); });
    if (rank() == root) keep(out.data(), total(counts));
#else
    throw Misused("this library has no header of gatherv");
#endif
  }

  template <typename T>
  void allgather(const Case& c, size_t count) {
    std::vector<T> in = filled<T>(c, rank(), 0, count), out(count * size() + 1);
    gloo::AllgatherOptions o(context_);
    common(o, c);
    o.setInput(in.data(), count);
    o.setOutput(out.data(), count * size());
    repeated(c, [&] { gloo::allgather(o); });
    keep(out.data(), count * size());
  }

  template <typename T>
  void allgatherv(const Case& c, size_t count) {
    Counts counts = parts(count);
    std::vector<T> in = filled<T>(c, rank(), 0, counts[rank()]), out(total(counts) + 1);
    gloo::AllgathervOptions o(context_);
    common(o, c);
    o.setInput(in.data(), counts[rank()]);
    o.setOutput(out.data(), counts);
    repeated(c, [&] { gloo::allgatherv(o); });
    keep(out.data(), total(counts));
  }

  template <typename T>
  void alltoall(const Case& c, size_t count) {
    size_t all = count * size();
    std::vector<T> in = filled<T>(c, rank(), 0, all), out(all + 1);
    gloo::AlltoallOptions o(context_);
    common(o, c);
    o.setInput(in.data(), all);
    o.setOutput(out.data(), all);
    repeated(c, [&] { gloo::alltoall(o); });
    keep(out.data(), all);
  }

  template <typename T>
  void alltoallv(const Case& c, size_t count) {
    std::vector<int64_t> sent, received;
    size_t in_count = 0, out_count = 0;
    for (int i = 0; i < size(); i++) {
      sent.push_back(part(count, rank(), i));
      received.push_back(part(count, i, rank()));
      in_count += sent[i];
      out_count += received[i];
    }
    std::vector<T> in = filled<T>(c, rank(), 0, in_count), out(out_count + 1);
    gloo::AlltoallvOptions o(context_);
    common(o, c);
    o.setInput(in.data(), sent);
    o.setOutput(out.data(), received);
    repeated(c, [&] { gloo::alltoallv(o); });
    keep(out.data(), out_count);
  }

  template <typename T>
  void allreduce(const Case& c, size_t count) {
    std::vector<std::vector<T>> ins, outs;
    std::vector<T*> in, out;
    for (int i = 0; i < c.number("inputs", 1); i++) ins.push_back(filled<T>(c, rank(), i, count));
    for (int i = 0; i < c.number("outputs", 1); i++) outs.emplace_back(count + 1);
    for (auto& each : ins) in.push_back(each.data());
    for (auto& each : outs) out.push_back(each.data());
    repeated(c, [&] {
      gloo::AllreduceOptions o(context_);
      common(o, c);
      std::string algorithm = c.text("algorithm", "");
      if (algorithm == "ring") o.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
      if (algorithm == "bcube") o.setAlgorithm(gloo::AllreduceOptions::Algorithm::BCUBE);
      if (c.number("segment", 0) > 0) o.setMaxSegmentSize(c.number("segment", 0));
      o.setReduceFunction(function<T>(c.text("reduce", "sum")));
      if (c.number("inplace", 0)) {
        std::memcpy((void*)out[0], in[0], count * sizeof(T));
      } else {
        o.setInputs(in, count);
      }
      o.setOutputs(out, count);
      gloo::allreduce(o);
    });
    for (T* each : out) keep(each, count);
  }

  template <typename T>
  void reduce(const Case& c, size_t count) {
    int root = c.number("root", 0);
    std::vector<T> in = filled<T>(c, rank(), 0, count), out(count + 1);
    gloo::ReduceOptions o(context_);
    common(o, c);
    o.setRoot(root);
    if (c.number("segment", 0) > 0) o.setMaxSegmentSize(c.number("segment", 0));
    o.setReduceFunction(function<T>(c.text("reduce", "sum")));
    o.setInput(in.data(), count);
    o.setOutput(out.data(), count);
    repeated(c, [&] { gloo::reduce(o); });
    if (rank() == root) keep(out.data(), count);  // the others' hold what was on its way
  }

  // Several messages under way around the ring: to the right, from the left.
  template <typename T>
  void sendRecv(const Case& c, size_t count) {
    uint64_t slot = c.number("slot", 1 << 20);
    int messages = c.number("messages", 1);
    std::vector<T> in = filled<T>(c, rank(), 0, count * messages), out(count * messages + 1);
    auto from = context_->createUnboundBuffer(in.data(), count * messages * sizeof(T));
    auto into = context_->createUnboundBuffer(out.data(), count * messages * sizeof(T));
    size_t bytes = count * sizeof(T);
    for (int m = 0; m < messages; m++) {
      into->recv((rank() + size() - 1) % size(), slot, m * bytes, bytes);
      from->send((rank() + 1) % size(), slot, m * bytes, bytes);
    }
    for (int m = 0; m < messages; m++) {
      into->waitRecv();
      from->waitSend();
    }
    keep(out.data(), count * messages);
  }

  // The root takes from whoever comes; every "directed" one first asks the last rank by name.
  template <typename T>
  void recvAny(const Case& c, size_t count) {
    uint64_t slot = c.number("slot", 1 << 21);
    int root = c.number("root", 0), messages = c.number("messages", 1);
    int directed = c.number("directed", 0);
    size_t bytes = count * sizeof(T), all = count * messages;
    if (rank() != root) {
      std::vector<T> in = filled<T>(c, rank(), 0, all);
      auto from = context_->createUnboundBuffer(in.data(), all * sizeof(T));
      for (int m = 0; m < messages; m++) from->send(root, slot, m * bytes, bytes);
      for (int m = 0; m < messages; m++) from->waitSend();
      return;
    }
    int named = root == size() - 1 ? size() - 2 : size() - 1;
    std::vector<std::vector<T>> heard(size());
    std::vector<int> others, left(size(), messages);
    for (int i = 0; i < size(); i++) {
      if (i != root) others.push_back(i);
    }
    std::vector<T> one(count + 1);
    auto into = context_->createUnboundBuffer(one.data(), bytes);
    for (int m = 0; m < messages * (size() - 1); m++) {
      int source = -1;
      if (m < directed) {
        into->recv(named, slot, 0, bytes);
      } else {
        into->recv(others, slot, 0, bytes);
      }
      into->waitRecv(&source);
      heard.at(source).insert(heard[source].end(), one.begin(), one.begin() + count);
    }
    for (auto& each : heard) keep(each.data(), each.size());
  }

  int rank() const { return context_->rank; }
  int size() const { return context_->size; }

  Context context_;
  std::ofstream outputs_, index_;
  size_t written_ = 0;
};

// What differs between the libraries: stores by reference, or by shared pointer.
using Store = std::shared_ptr<gloo::rendezvous::Store>;
using Device = std::shared_ptr<gloo::transport::Device>;

template <typename P>
Store prefixed(const std::string& prefix, Store store) {
  if constexpr (std::is_constructible<P, std::string, Store>::value) {
    return std::make_shared<P>(prefix, store);
  } else {
    return std::make_shared<P>(prefix, *store);
  }
}

template <typename C>
auto connect(C& context, Store store, Device device, int)
    -> decltype(context.connectFullMesh(store, device)) {
  context.connectFullMesh(store, device);
}

template <typename C>
void connect(C& context, Store store, Device device, long) {
  context.connectFullMesh(*store, device);
}

Store meeting(const std::string& url) {
  if (url.rfind("file://", 0) == 0) {
    return std::make_shared<gloo::rendezvous::FileStore>(url.substr(7));
  }
#if GLOO_USE_REDIS
  if (url.rfind("redis://", 0) == 0) {
    std::string place = url.substr(8);
    size_t colon = place.rfind(':');
    if (colon == std::string::npos) throw Misused("no port in " + url);
    return std::make_shared<gloo::rendezvous::RedisStore>(
        place.substr(0, colon), std::stoi(place.substr(colon + 1)));
  }
#endif
  throw Misused("--store is '" + url + "', but must begin with file:// or redis://");
}

using Options = std::map<std::string, std::string>;

std::string need(const Options& options, const std::string& name) {
  auto found = options.find(name);
  if (found == options.end()) throw Misused("--" + name + " is missing");
  return found->second;
}

std::string choose(const Options& options, const std::string& name, const std::string& otherwise) {
  auto found = options.find(name);
  return found == options.end() ? otherwise : found->second;
}

Device device(const Options& options) {
  gloo::transport::tcp::attr attributes;
  attributes.hostname = choose(options, "host", "127.0.0.1");
  if (options.count("lazy")) {
#if __has_include(<gloo/transport/tcp/listener.h>)
    return gloo::transport::tcp::CreateLazyDevice(attributes);
#else
    throw Misused("this library knows no --lazy");
#endif
  }
  return gloo::transport::tcp::CreateDevice(attributes);
}

void work(const Options& options, const std::vector<Case>& plan) {
  Device device = ::device(options);
  auto mesh = std::make_shared<gloo::rendezvous::Context>(
      std::stoi(need(options, "rank")), std::stoi(need(options, "size")),
      std::stoi(choose(options, "base", "2")));
  mesh->setTimeout(std::chrono::milliseconds(std::stol(choose(options, "timeout", "30000"))));
  Store store = meeting(need(options, "store"));
  Store all = store;  // the prefix store may hold a reference only
  if (options.count("prefix")) {
    store = prefixed<gloo::rendezvous::PrefixStore>(need(options, "prefix"), store);
  }
  connect(*mesh, store, device, 0);
  Context context = mesh;
  std::shared_ptr<gloo::rendezvous::ContextFactory> factory;
  if (options.count("factory")) {
    factory = std::make_shared<gloo::rendezvous::ContextFactory>(mesh);
    context = factory->makeContext(device);
  }
  Rank(context, need(options, "dump")).run(plan);
}

int usage(const std::string& why) {
  std::cerr << "gloo_rank: " << why << "\nusage: see the head of gloo_rank.cc" << std::endl;
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::string line;
  try {
    for (int i = 1; i < argc; i++) {
      std::string word = argv[i];
      if (word.rfind("--", 0)) {
        line += (line.empty() ? "" : " ") + word;
      } else if (word == "--lazy" || word == "--factory") {
        options[word.substr(2)] = "";
      } else if (i + 1 < argc) {
        options[word.substr(2)] = argv[++i];
      } else {
        return usage(word + " has no value");
      }
    }
    std::vector<Case> plan;
    if (!line.empty()) plan.emplace_back(line);
    if (options.count("plan")) {
      std::ifstream lines(options["plan"]);
      if (!lines) return usage("cannot read " + options["plan"]);
      while (std::getline(lines, line)) plan.emplace_back(line);
    }
    if (plan.empty()) return usage("nothing to do");
    work(options, plan);
  } catch (const Misused& e) {
    return usage(e.what());
  } catch (const std::exception& e) {
    std::cerr << "gloo_rank: rank " << options["rank"] << ": " << e.what() << std::endl;
    // The connections must end, and destructors that wait for peers must not keep us.
    std::_Exit(3);
  }
  return 0;
}

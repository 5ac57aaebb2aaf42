#!/usr/bin/python3
"""One rank of a PyTorch job whose other ranks may be ours.

    torch_rank.py --rank R --size N --init file:///dir/file|tcp://host:port --dump DIR

Runs the cases of torch.plan (here) in order and writes what each leaves to DIR/rank-R.bin, as
gloo_rank does; inputs are by the same formula. Works with Debian's python3-torch 1.13, which speaks
the classic wire, and with any newer PyTorch. It needs no NumPy.
"""
import argparse
import array
import datetime
import os

import torch
import torch.distributed as dist

TYPES = {
    "int8": (torch.int8, "b"), "uint8": (torch.uint8, "B"), "int32": (torch.int32, "i"),
    "int64": (torch.int64, "q"), "float32": (torch.float32, "I"), "float64": (torch.float64, "Q"),
    "float16": (torch.float16, "H"),
}
OPS = {"sum": dist.ReduceOp.SUM, "product": dist.ReduceOp.PRODUCT, "min": dist.ReduceOp.MIN,
       "max": dist.ReduceOp.MAX}
MASK = (1 << 64) - 1


def mixed(seed, rank, index):
    z = seed * 0x9E3779B97F4A7C15 + (rank << 48 | index) + 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def bits(name, h):
    if name == "float32":
        return (h & 0xFFFFFF) + 0x3F000000 + (h >> 63 << 31)
    if name == "float64":
        return (h & 0x1FFFFFFFFFFFFF) + 0x3FE0000000000000 + (h >> 63 << 63)
    if name == "float16":
        return (h & 0x7FF) + 0x3800 + (h >> 63 << 15)
    width = {"int8": 8, "uint8": 8, "int32": 32, "int64": 64}[name]
    value = h & (1 << width) - 1
    return value - (1 << width) if name[0] == "i" and value >> width - 1 else value


def filled(name, seed, rank, count):
    dtype, code = TYPES[name]
    raw = array.array(code, (bits(name, mixed(seed, rank, i)) for i in range(count)))
    return torch.frombuffer(bytearray(raw.tobytes()), dtype=dtype).clone()


def part(count, sender, receiver):
    return 0 if (sender + receiver) % 3 == 2 else count + sender + 2 * receiver


def run(words, rank, size):
    name, *rest = words.split()
    k = dict(word.split("=") for word in rest)
    count, root, kind = int(k.get("count", 0)), int(k.get("root", 0)), k.get("type", "float32")
    op, seed, dtype = OPS[k.get("reduce", "sum")], int(k.get("seed", 1)), TYPES[kind][0]
    make = lambda n: filled(kind, seed, rank, n)
    empty = lambda n: torch.zeros(n, dtype=dtype)
    if name == "barrier":
        dist.barrier()
    elif name == "monitoredBarrier":
        dist.monitored_barrier()
    elif name == "broadcast":
        x = make(count) if rank == root else empty(count)
        dist.broadcast(x, root)
        return [x]
    elif name == "allreduce":
        x = make(count)
        dist.all_reduce(x, op)
        return [x]
    elif name == "reduce":
        x = make(count)
        dist.reduce(x, root, op)
        return [x] if rank == root else []
    elif name == "allgather":
        out = [empty(count) for _ in range(size)]
        dist.all_gather(out, make(count))
        return out
    elif name == "gather":
        out = [empty(count) for _ in range(size)] if rank == root else None
        dist.gather(make(count), out, root)
        return out or []
    elif name == "scatter":
        x = empty(count)
        dist.scatter(x, list(make(count * size).split(count)) if rank == root else None, root)
        return [x]
    elif name == "alltoall":
        out = empty(count * size)
        dist.all_to_all_single(out, make(count * size))
        return [out]
    elif name == "alltoallv":
        sent = [part(count, rank, i) for i in range(size)]
        received = [part(count, i, rank) for i in range(size)]
        out = empty(sum(received))
        dist.all_to_all_single(out, make(sum(sent)), received, sent)
        return [out]
    elif name == "sendRecv":
        out = empty(count)
        slot = int(k.get("slot", 1 << 20))
        work = dist.isend(make(count), (rank + 1) % size, tag=slot)
        dist.recv(out, (rank + size - 1) % size, tag=slot)
        work.wait()
        return [out]
    else:
        raise ValueError("no operation " + name)
    return []


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rank", type=int, required=True)
    options.add_argument("--size", type=int, required=True)
    options.add_argument("--init", required=True)
    options.add_argument("--dump", required=True)
    options.add_argument("--plan", default=os.path.join(os.path.dirname(__file__), "torch.plan"))
    o = options.parse_args()
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group("gloo", init_method=o.init, rank=o.rank, world_size=o.size,
                            timeout=datetime.timedelta(seconds=60))
    with open(o.plan) as plan, open(f"{o.dump}/rank-{o.rank}.bin", "wb") as outputs:
        for number, line in enumerate(plan):
            print("begin", number, line.strip(), flush=True)
            for tensor in run(line, o.rank, o.size):
                outputs.write(bytes(tensor.view(torch.uint8).tolist()) if tensor.numel() else b"")
    dist.barrier()  # none leaves while another may still need it


main()

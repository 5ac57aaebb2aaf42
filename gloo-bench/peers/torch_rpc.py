#!/usr/bin/python3
"""One of the two workers of PyTorch's rpc that gloo-bench/run rpc --pytorch measures.

    torch_rpc.py RANK PORT

Rank 1 is called until rank 0 ends. Rank 0 reads commands, a line each, and answers each by a line:

    echo BYTES MILLIS              p50 and p99 of rpc_sync in microseconds
    pipeline BYTES UNDERWAY MILLIS calls per second
    reference UNDERWAY MILLIS      p50 and p99 of one remote, to_here and del in microseconds; how
                                   many per second with this many under way
"""
import collections
import sys
import time

import torch
import torch.distributed.rpc as rpc


def echo(tensor):
    return tensor


def samples(call, millis):
    times = []
    before = time.perf_counter()
    end = before + millis / 1e3
    while not times or before < end:
        call()
        now = time.perf_counter()
        times.append((now - before) * 1e6)
        before = now
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


def pipeline(tensor, under_way, millis):
    waiting = collections.deque()
    calls = 0
    start = time.perf_counter()
    while time.perf_counter() < start + millis / 1e3:
        while len(waiting) < under_way:
            waiting.append(rpc.rpc_async("server", echo, args=(tensor,)))
            calls += 1
        while len(waiting) > under_way // 2:
            waiting.popleft().wait()
    for call in waiting:
        call.wait()
    return calls / (time.perf_counter() - start)


def references(tensor, under_way, millis):
    made = 0
    start = time.perf_counter()
    while time.perf_counter() < start + millis / 1e3:
        refs = [rpc.remote("server", echo, args=(tensor,)) for _ in range(under_way)]
        for ref in refs:
            ref.to_here()
        made += len(refs)
        del refs, ref
    return made / (time.perf_counter() - start)


def run(words):
    if words[0] == "echo":
        tensor = torch.zeros(int(words[1]), dtype=torch.uint8)
        return samples(lambda: rpc.rpc_sync("server", echo, args=(tensor,)), int(words[2]))
    if words[0] == "pipeline":
        tensor = torch.zeros(int(words[1]), dtype=torch.uint8)
        return (pipeline(tensor, int(words[2]), int(words[3])),)
    tensor = torch.zeros(8, dtype=torch.uint8)
    millis = int(words[2])
    one = samples(lambda: rpc.remote("server", echo, args=(tensor,)).to_here(), millis)
    return one + (references(tensor, int(words[1]), millis),)


def main():
    rank, port = int(sys.argv[1]), int(sys.argv[2])
    options = rpc.TensorPipeRpcBackendOptions(init_method=f"tcp://127.0.0.1:{port}")
    rpc.init_rpc("client" if rank == 0 else "server", rank=rank, world_size=2,
                 rpc_backend_options=options)
    if rank == 0:
        print("ready", flush=True)
        for line in sys.stdin:
            print(*run(line.split()), flush=True)
    rpc.shutdown()


main()

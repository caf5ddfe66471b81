"""One of LMCache's L2 adapters as a peer: the line protocol of peer.h on stdin and stdout.

    lmcache_peer.py ADAPTER      fs_native, nixl_store or nixl_store_dynamic

What is timed is what LMCache's own bench times: submitting one task for the batch, until its event arrives, and taking its result.
fs_native has four workers. The two NIXL adapters use NIXL's POSIX backend as it comes; one page of their memory is one object,
their best case, and the pool of nixl_store holds four batches, made before anything is timed.
"""

import json
import mmap
import os
import resource
import sys
import time
from argparse import Namespace
from importlib.metadata import version

WORKERS = {"fs_native": 4, "nixl_store": 1, "nixl_store_dynamic": 1}
SECONDS = 60.0
POOL_BATCHES = 4


class Failure(Exception):
    """The reason of an answer."""


class Batch:
    """The memory of a batch and an adapter on a directory."""

    def __init__(self, adapter: str, count: int, size: int, direct: bool, directory: str):
        self.count, self.size = count, size
        self.memory = torch.frombuffer(mmap.mmap(-1, count * size), dtype=torch.uint8)
        # the adapters want objects at multiples of their page, which is an object where it can be
        page = size if size % mmap.PAGESIZE == 0 else 1
        self.objects = make_memory_objects(self.memory, count, size, 0)
        j = torch.arange(size, dtype=torch.int64)
        self.expected = [((i * 131 + j * 7 + (j >> 8)) % 256).to(torch.uint8) for i in range(count)]
        for i, kept in enumerate(self.objects):
            kept.raw_data.copy_(self.expected[i])
        spec = json.dumps(self.spec(adapter, direct, directory))
        config = parse_args_to_l2_adapters_config(Namespace(l2_adapter=[spec])).adapters[0]
        described = create_l1_memory_desc(self.memory, align_bytes=page)
        self.adapter = create_l2_adapter(config, l1_memory_desc=described)

    def spec(self, adapter: str, direct: bool, directory: str) -> dict:
        if adapter == "fs_native":
            return {"type": adapter, "base_path": directory, "num_workers": WORKERS[adapter], "use_odirect": direct}
        parameters = {"file_path": directory, "use_direct_io": str(direct).lower()}
        if adapter == "nixl_store_dynamic":
            return {"type": adapter, "backend": "POSIX", "backend_params": parameters | {"max_capacity_gb": "64"}}
        return {"type": adapter, "backend": "POSIX", "pool_size": POOL_BATCHES * self.count, "backend_params": parameters}

    def keys(self, number: int) -> list:
        first = number * self.count
        return [ObjectKey(chunk_hash=(first + i).to_bytes(16, "big"), model_name="org/model", kv_rank=0) for i in range(self.count)]

    def store(self, number: int) -> int:
        start = time.monotonic_ns()
        task = self.adapter.submit_store_task(self.keys(number), self.objects)
        if not wait_eventfd(self.adapter.get_store_event_fd(), SECONDS):
            raise Failure(f"a store did not end within {SECONDS:.0f} s")
        result = self.adapter.pop_completed_store_tasks()[task]
        nanos = time.monotonic_ns() - start
        if not result.is_successful():
            raise Failure("a store was not successful")
        return nanos

    def load(self, number: int) -> int:
        keys = self.keys(number)
        start = time.monotonic_ns()
        task = self.adapter.submit_load_task(keys, self.objects)
        if not wait_eventfd(self.adapter.get_load_event_fd(), SECONDS):
            raise Failure(f"a load did not end within {SECONDS:.0f} s")
        loaded = self.adapter.query_load_result(task)
        nanos = time.monotonic_ns() - start
        if loaded is None or loaded.popcount() != self.count:
            raise Failure(f"{0 if loaded is None else loaded.popcount()} of {self.count} objects were loaded")
        return nanos

    def verify(self, number: int) -> int:
        for kept in self.objects:
            kept.raw_data.zero_()
        self.load(number)
        for i, kept in enumerate(self.objects):
            if not torch.equal(kept.raw_data, self.expected[i]):
                raise Failure(f"object {i} is wrong after a load")
        return 0

    def drop(self, number: int) -> int:
        self.adapter.delete(self.keys(number))
        return 0

    def close(self) -> None:
        self.adapter.close()


class Peer:
    """Answers commands."""

    def __init__(self, adapter: str):
        self.adapter = adapter
        self.batch = None

    def answer(self, line: str) -> int:
        verb, _, rest = line.partition(" ")
        if verb == "quit":
            self.close()
            return 0
        if verb == "prepare":
            count, size, mode, directory = rest.split(" ", 3)
            self.close()
            self.batch = Batch(self.adapter, int(count), int(size), mode == "direct", directory)
            return 0
        if verb not in ("store", "load", "verify", "drop"):
            raise Failure(f"no command is called {verb}")
        if self.batch is None:
            raise Failure(f"{verb} before prepare")
        return getattr(self.batch, verb)(int(rest))

    def close(self) -> None:
        if self.batch is not None:
            self.batch.close()
            self.batch = None


def one_line(failure: BaseException) -> str:
    return " ".join(f"{failure}".split()) or type(failure).__name__


def main(arguments: list[str], answers) -> int:
    if len(arguments) != 1 or arguments[0] not in WORKERS:
        print(f"failed usage: lmcache_peer.py {'|'.join(WORKERS)}", file=answers, flush=True)
        return 1
    adapter = arguments[0]
    peer = Peer(adapter)
    print(f"ready lmcache {version('lmcache')} {WORKERS[adapter]}", file=answers, flush=True)
    for line in sys.stdin:
        try:
            print(f"ok {peer.answer(line.rstrip())}", file=answers, flush=True)
        except Exception as failure:  # whatever a library throws is the reason in the report
            print(f"failed {one_line(failure)}", file=answers, flush=True)
        if line.rstrip() == "quit":
            break
    return 0


# Whatever a library prints goes to stderr, also from native code; imported late, since importing prints too.
answering = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
files = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (files[1], files[1]))
try:
    import torch
    from lmcache.cli.commands.bench.l2_adapter_bench.data import create_l1_memory_desc, make_memory_objects, wait_eventfd
    from lmcache.v1.distributed.api import ObjectKey
    from lmcache.v1.distributed.l2_adapters import create_l2_adapter
    from lmcache.v1.distributed.l2_adapters.config import parse_args_to_l2_adapters_config
except ImportError as missing:
    print(f"failed {one_line(missing)}", file=answering, flush=True)
    sys.exit(1)
sys.exit(main(sys.argv[1:], answering))

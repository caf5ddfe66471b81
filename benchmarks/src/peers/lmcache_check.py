"""Stores and loads objects with LMCache's own file adapter (fs_native), so that files can be checked in both directions.

    write DIR COUNT BYTES    stores COUNT objects; one JSON line for each: {"key": …, "bytes": …}
    read DIR COUNT BYTES     loads the same objects; one JSON line with what was wrong; exit 1 unless every byte is right
    record DIR               stores 4 objects of 4096 bytes and 2 of 10000, and describes them in DIR/manifest.json

Object i is the key of model "org/model", KV rank i, object group 0 and a chunk hash of 16 bytes that holds i, big-endian.
Its byte j is (i * 131 + j * 7 + (j >> 8)) mod 256.
"""

import hashlib
import json
import mmap
import pathlib
import sys
from argparse import Namespace
from importlib.metadata import version

import torch
from lmcache.cli.commands.bench.l2_adapter_bench.data import create_l1_memory_desc, make_memory_objects, wait_eventfd
from lmcache.v1.distributed.api import ObjectKey
from lmcache.v1.distributed.l2_adapters import create_l2_adapter
from lmcache.v1.distributed.l2_adapters.config import parse_args_to_l2_adapters_config
from lmcache.v1.distributed.l2_adapters.native_connector_l2_adapter import _object_key_to_string

MODEL = "org/model"
SECONDS = 120.0
RECORDED = ((0, 4, 4096), (4, 2, 10000))  # first object, count, bytes


def key(i: int) -> ObjectKey:
    return ObjectKey(chunk_hash=i.to_bytes(16, "big"), model_name=MODEL, kv_rank=i)


def content(i: int, size: int) -> torch.Tensor:
    j = torch.arange(size, dtype=torch.int64)
    return ((i * 131 + j * 7 + (j >> 8)) % 256).to(torch.uint8)


class Batch:
    """Objects first … first + count - 1 in page-aligned memory, and an adapter on a directory."""

    def __init__(self, directory: str, first: int, count: int, size: int):
        memory = torch.frombuffer(mmap.mmap(-1, count * size), dtype=torch.uint8)
        spec = json.dumps({"type": "fs_native", "base_path": directory, "num_workers": 2})
        config = parse_args_to_l2_adapters_config(Namespace(l2_adapter=[spec])).adapters[0]
        self.adapter = create_l2_adapter(config, l1_memory_desc=create_l1_memory_desc(memory, align_bytes=mmap.PAGESIZE))
        self.numbers = range(first, first + count)
        self.size = size
        self.keys = [key(i) for i in self.numbers]
        self.objects = make_memory_objects(memory, count, size, 0)

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *failure) -> None:
        self.adapter.close()

    def store(self) -> bool:
        for i, stored in zip(self.numbers, self.objects):
            stored.raw_data.copy_(content(i, self.size))
        task = self.adapter.submit_store_task(self.keys, self.objects)
        if not wait_eventfd(self.adapter.get_store_event_fd(), SECONDS):
            raise TimeoutError(f"LMCache did not store within {SECONDS:.0f} s")
        result = self.adapter.pop_completed_store_tasks()[task]
        return result.is_successful() if hasattr(result, "is_successful") else bool(result[0])

    def wrong_after_load(self) -> list[int]:
        for loaded in self.objects:
            loaded.raw_data.zero_()
        task = self.adapter.submit_load_task(self.keys, self.objects)
        if not wait_eventfd(self.adapter.get_load_event_fd(), SECONDS):
            raise TimeoutError(f"LMCache did not load within {SECONDS:.0f} s")
        self.adapter.query_load_result(task)
        return [i for i, loaded in zip(self.numbers, self.objects) if not torch.equal(loaded.raw_data, content(i, self.size))]


def write(directory: str, count: int, size: int) -> bool:
    with Batch(directory, 0, count, size) as batch:
        stored = batch.store()
    for k in batch.keys:
        print(json.dumps({"key": _object_key_to_string(k), "bytes": size}))
    return stored


def read(directory: str, count: int, size: int) -> bool:
    with Batch(directory, 0, count, size) as batch:
        wrong = batch.wrong_after_load()
    print(json.dumps({"loaded": count - len(wrong), "wrong": wrong}))
    return not wrong


def record(directory: str) -> bool:
    root = pathlib.Path(directory)
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        print(f"{root} is not empty", file=sys.stderr)
        return False
    for first, count, size in RECORDED:
        with Batch(directory, first, count, size) as batch:
            if not batch.store() or batch.wrong_after_load():
                print(f"LMCache did not store and load {count} objects of {size} bytes", file=sys.stderr)
                return False
    # The file of a key is found by its content, so that the manifest owes nothing to our idea of the names.
    files = {hashlib.sha256(f.read_bytes()).hexdigest(): f for f in root.rglob("*") if f.is_file()}
    objects = []
    for first, count, size in RECORDED:
        for i in range(first, first + count):
            digest = hashlib.sha256(content(i, size).numpy().tobytes()).hexdigest()
            objects.append({"object": i, "key": _object_key_to_string(key(i)), "file": str(files[digest].relative_to(root)),
                            "bytes": size, "sha256": digest})
    made_by = {"program": "LMCache", "version": version("lmcache"), "adapter": "fs_native"}
    manifest = {"made_by": made_by, "pattern": "byte j of object i is (i * 131 + j * 7 + (j >> 8)) mod 256", "objects": objects}
    (root / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    print(json.dumps({"recorded": len(objects), "directory": str(root)}))
    return len(files) == len(objects)


def main(arguments: list[str]) -> int:
    match arguments:
        case ["write", directory, count, size]:
            return 0 if write(directory, int(count), int(size)) else 1
        case ["read", directory, count, size]:
            return 0 if read(directory, int(count), int(size)) else 1
        case ["record", directory]:
            return 0 if record(directory) else 1
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main(sys.argv[1:]))

"""Stores and loads pages with SGLang's own NIXL connector (HiCacheNixl on native NIXL), so that files can be checked both ways.

    write DIRS COUNT BYTES [OPTION=VALUE …]     stores COUNT pages; one JSON line for each object: {"name": …, "path": …, "bytes": …}
    read DIRS COUNT BYTES [OPTION=VALUE …]      loads the same pages; one JSON line with what was wrong; exit 1 unless every byte is right
    exists DIRS COUNT BYTES [OPTION=VALUE …]    prints how many leading pages SGLang finds: {"leading_pages": …}
    record DIR                                  stores small pages of four kinds into DIR/d1 and DIR/d2, described in DIR/manifest.json

DIRS is one directory or several with commas. Options: model=org/model, tp_rank=0, tp_size=1, mla=false, layout=page_first (zero
copy; layer_first copies each page into one object), direct=false. BYTES is the length of one object.

Page i has the hash sha256("page-<i>"), in hex. It is one object, m = i, or with zero copy and without MLA two, _k with m = 2i and _v
with m = 2i + 1. Byte j of object m is (m * 131 + j * 7 + (j >> 8)) mod 256.

SGLANG_SOURCE names the directory of SGLang's unpacked wheel. Only its storage connector is loaded, and not the rest of the engine.
"""

import contextlib
import dataclasses
import hashlib
import importlib
import json
import os
import pathlib
import sys
import types

import torch

SOURCE = pathlib.Path(os.environ["SGLANG_SOURCE"])
PAGE_BYTES = 4096


@dataclasses.dataclass(frozen=True)
class Kind:
    """The options of a run."""

    model: str = "org/model"
    tp_rank: int = 0
    tp_size: int = 1
    mla: bool = False
    layout: str = "page_first"
    direct: bool = False

    @staticmethod
    def parse(options: list[str]) -> "Kind":
        types_of = {field.name: field.type for field in dataclasses.fields(Kind)}
        values = {}
        for option in options:
            name, _, text = option.partition("=")
            if name not in types_of:
                raise SystemExit(f"there is no option {name}; options are {', '.join(types_of)}")
            values[name] = {int: int, bool: lambda t: {"true": True, "false": False}[t], str: str}[types_of[name]](text)
        return Kind(**values)

    @property
    def zero_copy(self) -> bool:
        return self.layout.startswith("page_first")

    @property
    def objects_per_page(self) -> int:
        return 2 if self.zero_copy and not self.mla else 1


def page_hash(page: int) -> str:
    return hashlib.sha256(f"page-{page}".encode()).hexdigest()


def content(number: int, size: int) -> torch.Tensor:
    j = torch.arange(size, dtype=torch.int64)
    return ((number * 131 + j * 7 + (j >> 8)) % 256).to(torch.uint8)


def load_connector() -> tuple:
    """SGLang's packages without what their __init__ files import, which needs a GPU and the whole engine."""
    package = ""
    for part in ("sglang", "srt", "mem_cache", "storage", "nixl"):
        package = f"{package}.{part}".lstrip(".")
        empty = types.ModuleType(package)
        empty.__path__ = [str(SOURCE.joinpath(*package.split(".")))]
        sys.modules[package] = empty
    pool = types.ModuleType("sglang.srt.mem_cache.pool_host")
    pool.HostKVCache = object
    sys.modules[pool.__name__] = pool
    return (
        importlib.import_module("sglang.srt.mem_cache.hicache_storage"),
        importlib.import_module("sglang.srt.mem_cache.storage.nixl.hicache_nixl"),
    )


class HostPool:
    """What the connector asks of SGLang's host pool, with pages of plain bytes in page-aligned memory."""

    page_size = 1
    pin_memory = False

    def __init__(self, kind: Kind, pages: int, size: int):
        self.layout = kind.layout
        self.size = size
        self.per_page = kind.objects_per_page
        wanted = pages * self.per_page * size
        self.memory = torch.zeros(wanted + PAGE_BYTES, dtype=torch.uint8)
        start = -self.memory.data_ptr() % PAGE_BYTES
        self.kv_buffer = self.memory[start : start + wanted]

    def objects(self, page: int) -> list[torch.Tensor]:
        first = page * self.per_page
        return [self.kv_buffer[n * self.size : (n + 1) * self.size] for n in range(first, first + self.per_page)]

    def is_stride_page_aligned(self, alignment: int) -> bool:
        return self.size % alignment == 0 and self.kv_buffer.data_ptr() % alignment == 0

    def get_page_buffer_meta(self, indices):
        parts = [part for page in indices.tolist() for part in self.objects(page)]
        return [part.data_ptr() for part in parts], [self.size] * len(parts)

    def get_dummy_flat_data_page(self):
        return torch.zeros(self.size, dtype=torch.uint8)

    def get_data_page(self, index, flat=True):
        return self.objects(int(index))[0]

    def set_from_flat_data_page(self, index, page):
        self.objects(int(index))[0].copy_(page)


class Connector:
    """SGLang's connector on some directories, with a pool of COUNT pages."""

    def __init__(self, directories: str, pages: int, size: int, kind: Kind):
        os.environ["SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR"] = directories
        storage, connector = load_connector()
        wanted = {
            "tp_rank": kind.tp_rank,
            "tp_size": kind.tp_size,
            "pp_rank": 0,
            "pp_size": 1,
            "attn_cp_rank": 0,
            "attn_cp_size": 1,
            "is_mla_model": kind.mla,
            "enable_storage_metrics": False,
            "is_page_first_layout": kind.zero_copy,
            "model_name": kind.model,
            "extra_config": {
                "use_direct_io": kind.direct,
                "l3_cleaner_enabled": False,
                "plugin": {"posix": {"active": True}},
            },
        }
        has = {field.name for field in dataclasses.fields(storage.HiCacheStorageConfig)}
        config = storage.HiCacheStorageConfig(**{name: value for name, value in wanted.items() if name in has})
        self.kind, self.size = kind, size
        self.pool = HostPool(kind, pages, size)
        self.nixl = connector.HiCacheNixl(config)
        self.nixl.register_mem_pool_host(self.pool)
        self.hashes = [page_hash(page) for page in range(pages)]
        self.indices = torch.arange(pages)

    def __enter__(self) -> "Connector":
        return self

    def __exit__(self, *failure) -> None:
        self.nixl.close()

    def numbered(self):
        return enumerate(part for page in range(len(self.hashes)) for part in self.pool.objects(page))

    def names(self) -> list[str]:
        if self.kind.zero_copy:
            return self.nixl._get_key_list_from_meta(self.hashes)
        return [self.nixl._get_suffixed_key(key) for key in self.hashes]

    def path(self, name: str) -> str:
        return self.nixl.file_manager.get_file_path(name)

    def store(self) -> bool:
        for number, part in self.numbered():
            part.copy_(content(number, self.size))
        return all(self.nixl.batch_set_v1(self.hashes, self.indices))

    def load(self) -> tuple[list[bool], list[int]]:
        self.pool.kv_buffer.zero_()
        results = self.nixl.batch_get_v1(self.hashes, self.indices)
        return results, [number for number, part in self.numbered() if not torch.equal(part, content(number, self.size))]

    def leading_pages(self) -> int:
        return self.nixl.batch_exists(self.hashes)


def write(connector: Connector, answer) -> bool:
    stored = connector.store()
    for name in connector.names():
        answer({"name": name, "path": connector.path(name), "bytes": connector.size})
    return stored


def read(connector: Connector, answer) -> bool:
    results, wrong = connector.load()
    answer({"loaded": sum(results), "wrong": wrong})
    return all(results) and not wrong


def exists(connector: Connector, answer) -> bool:
    answer({"leading_pages": connector.leading_pages()})
    return True


RECORDED = {
    "mha": Kind(),
    "mla": Kind(model="org/mla", mla=True),
    "copy": Kind(model="org/copy", layout="layer_first"),
    "rank 1 of 2": Kind(model="org/ranks", tp_rank=1, tp_size=2),
}


def record(directory: str, answer) -> bool:
    root = pathlib.Path(directory)
    folders = [root / "d1", root / "d2"]
    if any(folder.exists() for folder in folders):
        print(f"{root} holds a recording", file=sys.stderr)
        return False
    objects = []
    for label, kind in RECORDED.items():
        with Connector(",".join(map(str, folders)), 2, 1536, kind) as connector:
            if not connector.store() or connector.leading_pages() != 2 or connector.load()[1]:
                print(f"SGLang did not store and load {label}", file=sys.stderr)
                return False
            for number, name in enumerate(connector.names()):
                path = pathlib.Path(connector.path(name)).relative_to(root)
                digest = hashlib.sha256((root / path).read_bytes()).hexdigest()
                objects.append({"kind": label, "object": number, "name": name, "file": str(path), "sha256": digest} | dataclasses.asdict(kind))
    for folder in folders:
        for bucket in folder.iterdir():
            if not any(bucket.iterdir()):
                bucket.rmdir()
    version = next(SOURCE.glob("sglang-*.dist-info")).name.removeprefix("sglang-").removesuffix(".dist-info")
    manifest = {
        "made_by": {"program": "SGLang", "version": version, "connector": "HiCacheNixl, plugin POSIX"},
        "pattern": "byte j of object m is (m * 131 + j * 7 + (j >> 8)) mod 256; every object has 1536 bytes",
        "objects": objects,
    }
    (root / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    answer({"recorded": len(objects), "directory": str(root)})
    return True


def main(arguments: list[str]) -> int:
    results = sys.stdout

    def answer(document: dict) -> None:
        print(json.dumps(document), file=results, flush=True)

    verbs = {"write": write, "read": read, "exists": exists}
    with contextlib.redirect_stdout(sys.stderr):  # what SGLang and NIXL print is not a result
        match arguments:
            case ["record", directory]:
                return 0 if record(directory, answer) else 1
            case [verb, directories, pages, size, *options] if verb in verbs:
                with Connector(directories, int(pages), int(size), Kind.parse(options)) as connector:
                    return 0 if verbs[verb](connector, answer) else 1
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main(sys.argv[1:]))

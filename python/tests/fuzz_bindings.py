#!/usr/bin/env python3
"""Calls everything in the module with arguments of random types, shapes and sizes.

Whatever is wrong must raise; nothing may crash, hang or be reported by a sanitizer. The calls depend
on the seed alone. Usage: fuzz_bindings.py [--calls N] [--seed S] [--print]
"""

import argparse
import array
import collections
import faulthandler
import itertools
import os
import pathlib
import random
import sys
import tempfile
import warnings

import numpy as np

import solis

FENS = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
    "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "k7/8/8/8/8/8/8/7K w - - 99999999999 99999999999999999999",
]
WORDS = ["", "e4", "e2e4", "O-O", "deep", "paper", "puct", "uci", "san", "umap", "pca", "axis",
         "cosine", "euclidean", "train", "relations", "pieces", "deepmind", "a1", "1-0", "\0", "é",
         "\ud800", "x" * 5000, "/", "..", "-", "%s%n", "'", "1. e4 e5 *", "[White \"x\n1. e4"]
# Arguments that decide how long a call takes get small values, else a call would take for ever.
SMALL = {"depth": 3, "n_epochs": 5, "plies": 3, "threads": 3, "hash": 2, "epochs": 2, "mate": 2}


class Strange:
    """Raises where it is asked for anything."""

    def __iter__(self):
        raise RuntimeError("no iteration")

    def __len__(self):
        return -1

    def __fspath__(self):
        return 5

    def __float__(self):
        raise RuntimeError("no number")

    __int__ = __index__ = __float__

    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array")


class Fuzzer:
    def __init__(self, seed, folder):
        self.rng = random.Random(seed)
        self.folder = folder
        self.made = collections.deque(maxlen=60)
        self.model = solis.load()
        self.paths = [os.path.join(folder, name) for name in ["a.pgn", "b", "map", "none/x"]]
        with open(self.paths[0], "w") as file:
            file.write('[White "a"]\n[Black "b"]\n\n1. e4 {[%eval 0.3]} e5 2. Nf3 1-0\n\n1. Ke5 *\n')

    def number(self):
        pick = self.rng.choice
        return pick([0, 1, 2, 3, 7, -1, 64, 1.5, -0.0, float("nan"), float("inf"), 1e300, 1 << 31,
                     1 << 63, 1 << 64, -(1 << 63), 10 ** 40, True, np.float32(2), np.int64(3)])

    def shaped(self):
        rng = np.random.default_rng(self.rng.getrandbits(32))
        dims = self.rng.choice([0, 1, 2, 2, 2, 3])
        shape = [self.rng.choice([0, 1, 2, 5, 30, 64]) for _ in range(dims)]
        kind = self.rng.choice(["f4", "f4", "f8", ">f4", "i4", "u1", "?", "c8", "O", "U5", "f2",
                                "M8[s]"])
        values = rng.normal(size=shape) * self.rng.choice([0, 1, 1, 1e30])
        if self.rng.random() < 0.2 and values.size:
            values.flat[0] = self.rng.choice([np.nan, np.inf])
        with np.errstate(all="ignore"):
            made = values.astype("i8").astype(kind) if kind == "M8[s]" else values.astype(kind)
        way = self.rng.random()
        if way < 0.1:
            made = made[..., ::-1] if made.ndim else made
        elif way < 0.2:
            made = np.asfortranarray(made)
        elif way < 0.3:
            made = np.frombuffer(b"\0" + made.astype("f4").tobytes(), "u1")[1:].view("f4")
        elif way < 0.4:
            made.flags.writeable = False
        return made

    def value(self, depth=0):
        kinds = [self.number, self.shaped, lambda: self.rng.choice(FENS),
                 lambda: self.rng.choice(WORDS), lambda: None, lambda: self.rng.choice(self.paths),
                 lambda: pathlib.Path(self.rng.choice(self.paths)),
                 lambda: self.rng.choice(self.made) if self.made else self.model,
                 lambda: self.model, lambda: solis.Position(), lambda: Strange(), lambda: object(),
                 lambda: b"bytes", lambda: bytearray(8), lambda: array.array("f", [1, 2]),
                 lambda: memoryview(b"1234"), lambda: (lambda *args: self.rng.choice(WORDS)),
                 lambda: self.fail, lambda: int, lambda: self.points()]
        if depth < 2:
            few = range(self.rng.choice([0, 1, 2, 5]))
            kinds += [lambda: [self.value(depth + 1) for _ in few],
                      lambda: tuple(self.value(depth + 1) for _ in few),
                      lambda: {self.rng.choice(WORDS): self.value(depth + 1) for _ in few},
                      lambda: iter([self.value(depth + 1) for _ in few]),
                      lambda: [self.rng.choice(FENS[:4]) for _ in few],
                      lambda: [("a", "b", self.rng.choice([0, 0.5, 1, "1-0", 7])) for _ in few],
                      lambda: itertools.islice(itertools.cycle(FENS), 3)]
        return self.rng.choice(kinds)()

    def points(self):
        return np.random.default_rng(self.rng.getrandbits(32)).normal(size=(20, 4)).astype("f4")

    @staticmethod
    def fail(*args):
        raise RuntimeError("raised by a callback")

    def callables(self):
        module = [getattr(solis, name) for name in solis.__all__]
        owner = self.rng.choice(list(self.made) + [self.model, solis.Position(), solis.Game()])
        names = [n for n in dir(type(owner)) if not n.startswith("_")] + [
            "__init__", "__eq__", "__hash__", "__repr__", "__str__", "__len__", "__iter__",
            "__next__", "__getitem__", "__reduce__"]
        return module, owner, self.rng.choice(names)

    def arguments(self):
        positional = [self.value() for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3]))]
        names = ["positions", "threads", "out", "nodes", "depth", "multipv", "width", "plies",
                 "model", "callback", "map", "size", "split", "shuffle", "seed", "features", "path",
                 "text", "skip_broken", "n_neighbors", "metric", "progress", "axis", "kind",
                 "anchors", "confidence", "notation", "moves", "movetime", "encoder_command"]
        keywords = {}
        for name in self.rng.sample(names, self.rng.choice([0, 0, 1, 2])):
            keywords[name] = self.value()
        return positional, keywords

    def tame(self, function, positional, keywords):
        """Keeps what is valid short: a hostile size must raise at once, a legal one may be large."""
        name = getattr(function, "__name__", "")
        for key, most in SMALL.items():
            if isinstance(keywords.get(key), (int, np.integer)) and keywords[key] > most:
                if self.rng.random() < 0.9 or key in ("depth", "plies", "threads"):
                    keywords[key] = most
        if isinstance(keywords.get("movetime"), (int, np.integer)):
            keywords["movetime"] = min(int(keywords["movetime"]), 5)
        if name == "plan":
            keywords["nodes"] = self.rng.choice([1, 50, 300])
            keywords.setdefault("hash", 1)
        if name == "umap":
            keywords["n_epochs"] = 3
        # Programs are started by tests that know which.
        if "encoder_command" in keywords and isinstance(keywords["encoder_command"], (str, list, tuple)):
            keywords["encoder_command"] = self.rng.choice(["", "/no/such/program", [], ["\0"], "'"])
        return positional, keywords

    def call(self, show):
        module, owner, name = self.callables()
        positional, keywords = self.arguments()
        if self.rng.random() < 0.6:
            function = self.rng.choice(module)
        else:
            function = getattr(owner, name, None)
            if not callable(function):
                self.made.append(function) if function is not None else None
                return True
        positional, keywords = self.tame(function, positional, keywords)
        if show:
            print(function, [type(p).__name__ for p in positional], list(keywords), flush=True)
        result = function(*positional, **keywords)
        if type(result).__module__.startswith("solis"):
            self.made.append(result)
        if isinstance(result, (solis.PgnReader, solis.Batches)):
            self.made.extend(itertools.islice(iter(result), 2))
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", help="a store, so that its batches are called, too")
    parser.add_argument("--print", action="store_true", help="every call before it is made")
    options = parser.parse_args()
    faulthandler.enable()
    warnings.simplefilter("ignore")
    outcomes = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(options.seed, folder)
        os.chdir(folder)
        if options.store:
            fuzzer.paths.append(options.store)
            fuzzer.made.append(solis.Store(options.store))
        for _ in range(options.calls):
            try:
                outcomes["returned"] += fuzzer.call(options.print)
            except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError,
                    RuntimeError, StopIteration, OSError, BufferError, MemoryError) as failure:
                outcomes[type(failure).__name__] += 1
    total = sum(outcomes.values())
    print(f"{total} calls:", ", ".join(f"{n} {name}" for name, n in outcomes.most_common()))
    # All failures alike would mean that nothing was reached.
    sys.exit(0 if outcomes["returned"] > total / 20 and outcomes["SolisError"] > 0 else 1)


if __name__ == "__main__":
    main()

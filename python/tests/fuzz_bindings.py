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
import shutil
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
        self.map = solis.umap(self.points(), n_epochs=3)
        self.store = None
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
            made = np.array(values.astype("i8") if kind == "M8[s]" else values).astype(kind)
        made = np.array(made)
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

    def plausible(self):
        """A call that is right as it stands, with its arguments by name or place."""
        pick, count = self.rng.choice, self.rng.randrange
        fen = pick(FENS[:4])
        fens = [pick(FENS[:4]) for _ in range(pick([0, 1, 3, 40, 300]))]
        points = self.points()
        game = solis.Game("startpos", "e4", "e5", "Ng1f3")
        calls = [
            (solis.Position, [fen], {}),
            (solis.legal_moves, [fen], {"notation": pick(["uci", "san"])}),
            (solis.Position().after, ["e4", "c7c5", "Nf3"], {}),
            (solis.Position(fen).san, [pick(WORDS)], {}),
            (solis.Position(fen).tokens, [pick(["deepmind", "reference"])], {}),
            (game.push, ["Nc6", "Bb5"], {}),
            (solis.Game, ["startpos", "e4"], {}),
            (solis.read_pgn, [], {"text": pick(["1. e4 e5 1-0\n\n1. d4 *", "1. e5", "\0(", ""]),
                                  "skip_broken": pick([True, False])}),
            (solis.read_pgn, [self.paths[0]], {}),
            (self.model.embed, [fens], {"threads": count(4)}),
            (self.model.embed, [fens], {"out": np.empty((len(fens), self.model.dims), "f4")}),
            (self.model.score, [fens], {"threads": count(3)}),
            (self.model.win_probability, [fens], {}),
            (self.model.rank, [fen], {}),
            (self.model.calibration.win_probability, [self.shaped()], {}),
            (self.model.calibration.score_at, [self.number()], {}),
            (solis.plan, [game], {"plan": pick(["deep", "paper", "puct"]), "multipv": 1 + count(3),
                                  "width": 1 + count(4), "plies": 1 + count(3), "seed": count(9),
                                  "threads": 1 + count(2), "elo": pick([None, 1400]),
                                  "moves": pick([[], ["Nc6"]]), "model": self.model,
                                  "callback": pick([None, self.fail, lambda info: info.line.p])}),
            (solis.umap, [points], {"n_neighbors": 2 + count(8), "min_dist": 0.1, "spread": 1.0,
                                    "metric": pick(["cosine", "euclidean"]), "seed": count(9),
                                    "init": pick(["pca", "spectral"]), "learning_rate": 1.0,
                                    "negative_sample_rate": count(4), "kind": "umap"}),
            (solis.umap, [points], {"kind": pick(["pca", "axis"]), "axis": points[0]}),
            (self.map.transform, [self.points()], {"threads": count(3)}),
            (self.map.save, [self.paths[2]], {}),
            (solis.load_map, [self.paths[2]], {}),
            (solis.trace, [game], {"model": self.model, "threads": count(3)}),
            (solis.rate, [[("a", "b", pick([0, 0.5, 1, "1-0"])), ("b", "a", 1)]],
             {"anchors": pick([{}, {"a": 1500.0}]), "confidence": 0.9, "prior_draws": 2.0,
              "fit_advantage": pick([True, False]), "fit_draw_elo": pick([True, False])}),
            (solis.rate, [self.paths[0]], {}),
            (solis.load, [self.paths[count(3)]], {}),
            (solis.Store, [pick(self.paths)], {}),
        ]
        if self.store:
            calls += 3 * [(self.store.batches, [1 + count(64)], {
                "split": pick([None, "train", "validation"]), "shuffle": pick([True, False]),
                "seed": count(9), "features": pick([None, "pieces", "threats", "relations", "contacts", "danger"]),
                "tokenizer": pick([None, "deepmind"]), "unique": pick([True, False]),
                "branches": pick([True, False]), "drop_last": pick([True, False])})]
        return pick(calls)

    def choose(self):
        """A function with its arguments: right ones of which some are spoilt, or any at all."""
        if self.rng.random() < 0.7:
            function, positional, keywords = self.plausible()
            for _ in range(self.rng.choice([0, 1, 1, 2])):
                if keywords and self.rng.random() < 0.6:
                    keywords[self.rng.choice(list(keywords))] = self.value()
                elif positional:
                    positional[self.rng.randrange(len(positional))] = self.value()
            return function, positional, keywords
        module, owner, name = self.callables()
        positional, keywords = self.arguments()
        function = self.rng.choice(module) if self.rng.random() < 0.4 else getattr(owner, name, None)
        return function, positional, keywords

    def call(self, function, positional, keywords, show):
        if not callable(function):
            self.keep(function)
            return True
        positional, keywords = self.tame(function, positional, keywords)
        if show:
            print(function, [type(p).__name__ for p in positional], keywords, flush=True)
        self.keep(function(*positional, **keywords))
        return True

    def keep(self, result):
        """Results become arguments and owners of later calls; what they hold is looked at."""
        if type(result).__module__.startswith("solis"):
            self.made.append(result)
            for name in dir(type(result)):
                if not name.startswith("_") and not callable(getattr(type(result), name)):
                    getattr(result, name)
        if isinstance(result, (solis.PgnReader, solis.Batches)):
            for item in itertools.islice(iter(result), 2):
                self.keep(item)


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
            # A copy for all: random calls may write to every path they know.
            shutil.copy(options.store, "store.sgt")
            fuzzer.paths.append("store.sgt")
            fuzzer.store = solis.Store(options.store)
        for _ in range(options.calls):
            chosen = fuzzer.choose()
            try:
                outcomes["returned"] += fuzzer.call(*chosen, options.print)
            except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError,
                    RuntimeError, StopIteration, OSError, BufferError, MemoryError) as failure:
                outcomes[type(failure).__name__] += 1
    total = sum(outcomes.values())
    print(f"{total} calls:", ", ".join(f"{n} {name}" for name, n in outcomes.most_common()))
    # All failures alike would mean that nothing was reached.
    sys.exit(0 if outcomes["returned"] > total / 20 and outcomes["SolisError"] > 0 else 1)


if __name__ == "__main__":
    main()

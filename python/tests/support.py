"""What the tests share: the module's files, the command, and a small store of labelled games."""

import os
import random
import subprocess
import tempfile
import unittest

import solis

SOURCE = os.environ["SOLIS_SOURCE"]
BINARY = os.environ.get("SOLIS_BINARY")
SANITIZED = "SOLIS_SANITIZED" in os.environ


def run_solis(*arguments, **options):
    """Runs the command without what is preloaded for this process; skips the test where it was not built."""
    if not BINARY:
        raise unittest.SkipTest("this build has no command")
    environment = {name: text for name, text in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, env=environment,
                          timeout=250, **options)


def random_pgn(games, plies, seed=1):
    """Games of random moves with evaluations by the default model, as PGN text."""
    rng, model, text = random.Random(seed), solis.load(), []
    for number in range(games):
        game = solis.Game()
        while len(game) < plies and not game.outcome():
            game.push(rng.choice(game.position.legal_moves()))
        probabilities = model.win_probability(game.positions[1:])
        text.append(f'[White "a{number % 3}"]\n[Black "b"]\n[Result "1-0"]\n\n')
        for san, p in zip(game.san, probabilities):
            # Some count as won: the axis needs them.
            verdict = "#9" if p > 0.8 else "#-9" if p < 0.2 else f"{10 * (p - 0.5):.2f}"
            text.append(f"{san} {{[%eval {verdict}]}} ")
        text.append("1-0\n\n")
    return "".join(text)


class FilesTest(unittest.TestCase):
    """A test with a folder of its own and a store in it."""

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.folder = cls._folder.name
        cls.pgn = os.path.join(cls.folder, "games.pgn")
        cls.store = os.path.join(cls.folder, "games.sgt")
        with open(cls.pgn, "w") as file:
            file.write(random_pgn(20 if SANITIZED else 60, 60))
        done = run_solis("data", "import", cls.pgn, "--out", cls.store)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

"""Models, plans and what stops them."""

import json
import os
import signal
import sys
import threading
import time
import unittest

import numpy as np

import solis
from support import FilesTest, SOURCE, random_pgn, run_solis


def some_positions(games=4, plies=40):
    return [p for game in solis.read_pgn(text=random_pgn(games, plies)) for p in game.positions]


class ModelTest(unittest.TestCase):
    def setUp(self):
        self.model = solis.load()
        self.positions = some_positions()

    def test_embeddings_are_unit_vectors_whose_projection_is_the_score(self):
        z = self.model.embed(self.positions)
        self.assertEqual((z.shape, z.dtype), ((len(self.positions), self.model.dims), np.float32))
        np.testing.assert_allclose(np.linalg.norm(z, axis=1), 1, atol=1e-3)
        np.testing.assert_allclose(z @ self.model.axis.direction, self.model.score(self.positions),
                                   atol=2e-2)

    def test_fens_positions_and_any_number_of_threads_give_the_same(self):
        z = self.model.embed(self.positions, threads=1)
        for threads in [0, 2, 3]:
            np.testing.assert_array_equal(self.model.embed(self.positions, threads=threads), z)
        np.testing.assert_array_equal(self.model.embed([p.fen for p in self.positions]), z)
        np.testing.assert_array_equal(self.model.embed(np.array([p.fen for p in self.positions])), z)
        np.testing.assert_array_equal(self.model.embed(self.positions[0]), z[0])
        self.assertEqual(self.model.embed([]).shape, (0, self.model.dims))

    def test_results_go_into_the_callers_memory(self):
        out = np.empty((len(self.positions), self.model.dims), np.float32)
        self.assertIs(self.model.embed(self.positions, out=out), out)
        np.testing.assert_array_equal(out, self.model.embed(self.positions))
        wrong = [out[:-1], out.astype(np.float64), np.asfortranarray(out), out.tobytes(), 5]
        read_only = out.copy()
        read_only.flags.writeable = False
        for array in wrong + [read_only]:
            with self.assertRaises((solis.SolisError, TypeError)):
                self.model.embed(self.positions, out=array)

    def test_threads_of_python_run_at_the_same_time(self):
        expected, found = self.model.embed(self.positions), {}

        def work(i):
            found[i] = self.model.embed(self.positions, threads=2)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i in range(4):
            np.testing.assert_array_equal(found[i], expected)

    def test_win_probabilities_are_those_of_the_command(self):
        fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
        report = json.loads(run_solis("rank", "--json", fen).stdout)
        self.assertAlmostEqual(self.model.win_probability(fen), report["win_probability"], 5)
        self.assertAlmostEqual(self.model.score(fen), report["score"], 5)
        ranked = self.model.rank(fen)
        self.assertEqual([m["uci"] for m in ranked], [m["uci"] for m in report["moves"]])

    def test_calibration_and_axis_are_views_of_the_model(self):
        curve, axis = self.model.calibration, self.model.axis
        self.assertTrue(np.all(np.diff(curve.scores) > 0))
        self.assertTrue(np.all(np.diff(curve.probabilities) >= 0))
        p = np.array([[0.3, 0.5], [0.6, 0.7]])
        np.testing.assert_allclose(curve.win_probability(curve.score_at(p)), p, atol=1e-6)
        self.assertAlmostEqual(curve.win_probability(curve.draw_score), 0.5, 6)
        self.assertAlmostEqual(float(np.linalg.norm(axis.direction)), 1, 5)
        with self.assertRaises(ValueError):
            axis.direction[0] = 1
        direction = axis.direction
        del axis, curve
        self.assertEqual(direction.shape, (self.model.dims,))
        self.assertTrue(np.isnan(self.model.calibration.win_probability(float("nan")))
                        or 0 <= self.model.calibration.win_probability(float("nan")) <= 1)

    def test_models_say_what_they_are(self):
        self.assertEqual((self.model.name, self.model.encoder), ("default", "swift"))
        self.assertEqual(self.model.traits["reads_counters"], False)
        mini = solis.load(os.path.join(SOURCE, "models", "mini.safetensors"))
        self.assertEqual((mini.name, mini.encoder, mini.view), ("mini", "transformer", "white"))
        self.assertEqual(mini.embed(["startpos"]).shape, (1, 128))

    def test_ctrl_c_ends_an_embedding(self):
        mini = solis.load(os.path.join(SOURCE, "models", "mini.safetensors"))
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            mini.embed([solis.Position()] * 1_000_000)
        self.assertLess(time.monotonic() - start, 60)

    def test_a_bad_file_or_position_raises(self):
        with self.assertRaises(solis.SolisError) as caught:
            solis.load("/no/such/file.safetensors")
        self.assertIn("/no/such/file", caught.exception.message)
        with self.assertRaises(solis.SolisError):
            solis.load(__file__)
        with self.assertRaises(solis.SolisError) as caught:
            self.model.embed(["startpos", "nonsense"])
        self.assertIn("position 1", caught.exception.message)
        for wrong in [None, 5, [5], [None], b"startpos"]:
            with self.assertRaises(TypeError):
                self.model.embed(wrong)


class PlanTest(unittest.TestCase):
    MATE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"

    def test_every_plan_finds_a_mate(self):
        for kind in ["deep", "paper", "puct"]:
            plan = solis.plan(self.MATE, kind, nodes=5000)
            self.assertEqual(plan.best, "h5f7", kind)
            self.assertEqual(plan.lines[0].mate, 1, kind)
            self.assertAlmostEqual(plan.lines[0].p, 1, 6)

    def test_lines_are_whites_view(self):
        flipped = solis.Position(self.MATE).color_flipped()
        line = solis.plan(flipped, nodes=5000).lines[0]
        self.assertEqual(line.mate, -1)
        self.assertEqual(line.wdl, (0, 0, 1))
        self.assertEqual(line.san, ["Qxf2#"])

    def test_several_lines_with_their_embeddings(self):
        plan = solis.plan("startpos", nodes=3000, multipv=3)
        self.assertEqual(len(plan.lines), 3)
        self.assertEqual(len({line.moves[0] for line in plan.lines}), 3)
        for line in plan.lines:
            self.assertEqual(line.embeddings.shape, (len(line.moves) + 1, solis.load().dims))
            self.assertAlmostEqual(sum(line.wdl), 1, 6)
            self.assertAlmostEqual(line.wdl[0] + line.wdl[1] / 2, line.p, 6)
        self.assertGreater(plan.nodes, plan.embedded)

    def test_the_callback_hears_of_every_depth_and_may_end_it(self):
        depths = []
        plan = solis.plan("startpos", depth=4, callback=lambda info: depths.append(info.depth))
        self.assertEqual(sorted(set(depths)), [1, 2, 3, 4])
        self.assertEqual(plan.depth, 4)
        start = time.monotonic()
        solis.plan("startpos", depth=100, callback=lambda info: info.depth < 3)
        self.assertLess(time.monotonic() - start, 60)

    def test_what_a_callback_raises_comes_out(self):
        with self.assertRaises(ZeroDivisionError):
            solis.plan("startpos", depth=100, callback=lambda info: 1 / 0)

    def test_ctrl_c_ends_a_plan(self):
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            solis.plan("startpos", depth=150)
        self.assertLess(time.monotonic() - start, 30)

    def test_only_the_moves_asked_for(self):
        self.assertEqual(solis.plan("startpos", nodes=500, moves=["a3"]).best, "a2a3")
        self.assertIsNone(solis.plan("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").best)

    def test_history_counts(self):
        game = solis.Game("7k/8/8/8/8/8/1r6/K7 w - - 0 1")
        self.assertEqual(solis.plan(game, nodes=200).best, "a1b2")

    def test_bad_arguments_raise(self):
        for wrong in [{"nodes": -1}, {"depth": 0}, {"width": 0}, {"multipv": 1000}, {"plan": "x"},
                      {"threads": 0}, {"hash": 0}, {"movetime": -5}, {"moves": ["e5"]},
                      {"elo": 5}, {"callback": 5}, {"model": 5}, {"nodes": 1.5}]:
            with self.assertRaises((solis.SolisError, TypeError), msg=str(wrong)):
                solis.plan("startpos", **wrong)


class ProcessTest(FilesTest):
    """The example encoder, planned with through Python."""

    def test_an_encoder_of_ones_own(self):
        command = [sys.executable, os.path.join(SOURCE, "python", "examples", "process_encoder.py")]
        axis = os.path.join(self.folder, "axis.safetensors")
        done = run_solis("axis", "--encoder-command", " ".join(command), "--data", self.store,
                         "--whole", "--out", axis)
        self.assertEqual(done.returncode, 0, done.stderr)
        model = solis.load(axis, encoder_command=command)
        self.assertEqual(model.encoder, "process")
        z = model.embed(["startpos", PlanTest.MATE])
        np.testing.assert_allclose(np.linalg.norm(z, axis=1), 1, atol=1e-5)
        self.assertEqual(solis.plan(PlanTest.MATE, "paper", width=3, plies=2, model=model).best,
                         "h5f7")
        with self.assertRaises(solis.SolisError) as caught:
            solis.load(axis)
        self.assertIn("encoder", caught.exception.hint)
        with self.assertRaises(solis.SolisError):
            solis.load(axis, encoder_command="python3 -c 'pass'")


if __name__ == "__main__":
    unittest.main()

"""Stores, maps, traces and ratings."""

import os
import signal
import threading
import time
import unittest

import numpy as np

import solis
from support import FilesTest, SANITIZED


class StoreTest(FilesTest):
    def test_an_epoch_holds_every_position_once(self):
        store = solis.Store(self.store)
        seen = [p for batch in store.batches(100) for p in batch.positions]
        self.assertEqual(len(seen), len({p.fen.rsplit(" ", 2)[0] for p in seen}))
        self.assertLessEqual(len(seen), store.positions)
        again = [p for batch in store.batches(100) for p in batch.positions]
        self.assertEqual(seen, again)
        other = [p for batch in store.batches(100, seed=2) for p in batch.positions]
        self.assertNotEqual(seen, other)
        self.assertEqual(set(seen), set(other))
        self.assertEqual(store.games, 20 if SANITIZED else 60)
        self.assertIsInstance(store.manifest, dict)

    def test_tokens_and_sparse_inputs_are_those_of_the_positions(self):
        batch = next(solis.Store(self.store).batches(64))
        self.assertEqual(batch.tokens.shape, (64, 77))
        for row, position in zip(batch.tokens, batch.positions):
            np.testing.assert_array_equal(row, position.tokens())
        for sparse in [batch.mover, batch.opponent]:
            self.assertEqual(sparse.offsets.shape, (65,))
            self.assertEqual(sparse.offsets[-1], len(sparse.indices))
            self.assertLess(sparse.indices.max(), sparse.size)
        pieces = next(solis.Store(self.store).batches(64, features="pieces"))
        np.testing.assert_array_equal(np.diff(pieces.mover.offsets), pieces.pieces)
        self.assertEqual(pieces.mover.size, 768)

    def test_labels_are_whites_unless_they_say_otherwise(self):
        batch = next(solis.Store(self.store).batches(200))
        turned = np.where(batch.white_to_move, batch.mover_labels, 1 - batch.mover_labels)
        np.testing.assert_allclose(batch.labels, turned, atol=1e-6)
        expected = 1 / (1 + np.exp(-0.00368208 * batch.scores.astype(float)))
        centipawns = np.abs(batch.scores) <= 20000
        np.testing.assert_allclose(batch.mover_labels[centipawns], expected[centipawns], atol=1e-5)

    def test_splits_are_disjoint_and_order_can_be_kept(self):
        store = solis.Store(self.store)
        parts = [sum(len(b) for b in store.batches(50, split=name, shuffle=False))
                 for name in ["train"]]
        everything = list(store.batches(50, shuffle=False))
        self.assertLessEqual(parts[0], sum(map(len, everything)))
        self.assertTrue(all(len(b) == 50 for b in everything[:-1]))
        self.assertTrue(all(len(b) == 50 for b in store.batches(50, drop_last=True)))
        bare = next(store.batches(10, tokenizer=None, features=None))
        self.assertIsNone(bare.tokens)
        self.assertIsNone(bare.mover)
        longer = sum(len(b) for b in store.batches(50, epochs=2))
        self.assertEqual(longer, 2 * sum(len(b) for b in store.batches(50)))

    def test_bad_arguments_raise(self):
        with self.assertRaises(solis.SolisError):
            solis.Store("/no/such/store.sgt")
        with self.assertRaises(solis.SolisError):
            solis.Store(self.pgn)
        store = solis.Store(self.store)
        for wrong in [{"size": 0}, {"size": 1 << 40}, {"size": 5, "split": "x"},
                      {"size": 5, "features": "x"}, {"size": 5, "tokenizer": "x"},
                      {"size": 5, "shuffle": False, "epochs": 2}]:
            with self.assertRaises(solis.SolisError, msg=str(wrong)):
                store.batches(**wrong)
        with self.assertRaises(TypeError):
            store.batches("many")


class MapTest(FilesTest):
    def points(self, count=300):
        rng = np.random.default_rng(1)
        groups = rng.normal(size=(3, 16)) * 3
        return (groups[rng.integers(0, 3, count)] + rng.normal(size=(count, 16)) * 0.1).astype("f4")

    def test_neighbours_stay_neighbours(self):
        points = self.points()
        drawn = solis.umap(points, n_epochs=100)
        self.assertEqual(drawn.places.shape, (300, 2))
        distances = np.linalg.norm(points[:, None] - points[None], axis=2)
        near = np.argsort(distances, axis=1)[:, 1:6]
        on_map = np.linalg.norm(drawn.places[:, None] - drawn.places[None], axis=2)
        to_near = np.take_along_axis(on_map, near, axis=1).mean()
        self.assertLess(to_near, on_map.mean() / 3)
        again = solis.umap(points.astype("f8").tolist(), n_epochs=100, threads=1)
        np.testing.assert_array_equal(again.places, drawn.places)

    def test_a_place_depends_on_the_point_alone(self):
        points = self.points()
        drawn = solis.umap(points, n_epochs=50)
        together = drawn.transform(points[:20])
        np.testing.assert_array_equal(drawn.transform(points[7]), together[7])
        path = os.path.join(self.folder, "map.bin")
        drawn.save(path)
        np.testing.assert_array_equal(solis.load_map(path).transform(points[:20]), together)

    def test_progress_and_ctrl_c(self):
        stages = []
        solis.umap(self.points(100), n_epochs=20, progress=lambda stage, share: stages.append(stage))
        self.assertTrue(stages)
        with self.assertRaises(ZeroDivisionError):
            solis.umap(self.points(100), progress=lambda stage, share: 1 / 0)
        with self.assertRaises(solis.SolisError):
            solis.umap(self.points(100), progress=lambda stage, share: False)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            solis.umap(self.points(), n_epochs=100_000)
        self.assertLess(time.monotonic() - start, 30)

    def test_bad_points_raise(self):
        good = self.points(50)
        bad = good.copy()
        bad[3, 4] = np.nan
        for wrong in [bad, good[:0], good[0], np.zeros((5, 3)), [[1, 2], [3]], "points", None]:
            with self.assertRaises((solis.SolisError, TypeError, ValueError)):
                solis.umap(wrong)
        with self.assertRaises(solis.SolisError):
            solis.umap(good).transform(good[:, :3])

    def test_a_game_is_a_path(self):
        game = next(solis.read_pgn(self.pgn))
        model = solis.load()
        path = solis.trace(game, model=model)
        self.assertEqual(len(path), len(game) + 1)
        self.assertEqual(path.san, game.san)
        np.testing.assert_array_equal(path.embeddings, model.embed(game.positions))
        np.testing.assert_allclose(path.p, model.win_probability(game.positions))
        self.assertIsNone(path.places)
        drawn = solis.umap(path.embeddings, n_epochs=20)
        self.assertEqual(solis.trace(game, map=drawn).places.shape, (len(path), 2))


class RateTest(FilesTest):
    def test_more_points_are_a_higher_rating(self):
        games = [("a", "b", "1-0")] * 6 + [("b", "a", 0.5)] * 4 + [("b", "a", 1)]
        ratings = solis.rate(games)
        self.assertEqual([r.name for r in ratings], ["a", "b"])
        self.assertAlmostEqual(ratings["a"].elo, -ratings["b"].elo, 6)
        self.assertGreater(ratings.superiority("a", "b"), 0.9)
        self.assertEqual((ratings["a"].wins, ratings["a"].draws, ratings["a"].games), (6, 4, 11))
        anchored = solis.rate(games, anchors={"b": 1500})
        self.assertEqual(anchored["b"].elo, 1500)
        self.assertGreater(anchored["a"].elo, 1500)

    def test_pgn_files(self):
        ratings = solis.rate(self.pgn)
        self.assertEqual(len(ratings), 4)
        self.assertEqual([r.name for r in solis.rate([self.pgn])], [r.name for r in ratings])

    def test_bad_results_raise(self):
        for wrong in [[], [("a", "a", 1)], [("a", "b", 7)], [("a", "b", "x")], [("a", "b")],
                      "/no/such.pgn", "-"]:
            with self.assertRaises(solis.SolisError, msg=str(wrong)):
                solis.rate(wrong)
        for wrong in [5, [5], [("a", 5, 1)], [("a", "b", None)], None]:
            with self.assertRaises(TypeError, msg=str(wrong)):
                solis.rate(wrong)
        with self.assertRaises(solis.SolisError):
            solis.rate([("a", "b", 1)], anchors={"c": 5})
        with self.assertRaises(KeyError):
            solis.rate([("a", "b", 1)])["c"]


if __name__ == "__main__":
    unittest.main()

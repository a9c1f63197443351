"""Positions, games and PGN."""

import copy
import pickle
import unittest

import numpy as np

import solis
from support import FilesTest, SANITIZED

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def perft(position, depth):
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(perft(position.after(m), depth - 1) for m in moves)


class PositionTest(unittest.TestCase):
    def test_legal_moves_lead_to_the_known_numbers_of_positions(self):
        self.assertEqual(perft(solis.Position(), 2 if SANITIZED else 3), 400 if SANITIZED else 8902)
        self.assertEqual(perft(solis.Position(KIWIPETE), 2), 2039)

    def test_both_notations_name_the_same_moves(self):
        position = solis.Position(KIWIPETE)
        for uci, san in zip(position.legal_moves(), position.legal_moves("san")):
            self.assertEqual(position.san(uci), san)
            self.assertEqual(position.uci(san), uci)
            self.assertEqual(position.after(uci), position.after(san))
        self.assertTrue(position.is_legal("O-O"))
        self.assertFalse(position.is_legal("e2e5"))

    def test_a_position_is_a_value(self):
        a, b = solis.Position().after("e4", "e5"), solis.Position().after("e2e4", "e7e5")
        self.assertEqual(a, b)
        self.assertEqual(hash(a), hash(b))
        self.assertEqual(a.key, b.key)
        self.assertNotEqual(a, solis.Position())
        self.assertNotEqual(a, "startpos")
        self.assertEqual(len({a, b, solis.Position()}), 2)
        with self.assertRaises(AttributeError):
            a.fen = "x"

    def test_copies_and_pickles_are_equal(self):
        for fen in [KIWIPETE, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]:
            position = solis.Position(fen)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                self.assertEqual(pickle.loads(pickle.dumps(position, protocol)), position)
            self.assertEqual(copy.deepcopy(position), position)
            self.assertEqual(eval(repr(position), {"Position": solis.Position}), position)

    def test_what_it_says_of_itself(self):
        position = solis.Position(KIWIPETE)
        self.assertEqual((position.turn, position.in_check), ("white", False))
        self.assertEqual(position.piece_at("e8"), "k")
        self.assertIsNone(position.piece_at("e3"))
        self.assertEqual(position.tokens().shape, (77,))
        self.assertEqual(position.tokens().dtype, np.uint8)
        self.assertEqual(position.color_flipped().color_flipped(), position)
        mate = solis.Position().after("f3", "e5", "g4", "Qh4")
        self.assertEqual(mate.outcome(), ("checkmate", "black"))
        self.assertIsNone(position.outcome())
        self.assertIn("R . . . K . . R", str(position))

    def test_bad_input_raises_with_the_librarys_words(self):
        with self.assertRaises(solis.SolisError) as caught:
            solis.Position("8/8/8/8/8/8/8/8 w - - 0 1")
        self.assertIn("king", str(caught.exception))
        with self.assertRaises(solis.SolisError):
            solis.Position().after("e5")
        with self.assertRaises(solis.SolisError):
            solis.Position().piece_at("j9")
        for wrong in [None, 5, b"startpos", ["startpos"]]:
            with self.assertRaises(TypeError):
                solis.Position(wrong)

    def test_what_has_no_value_is_not_copied(self):
        for thing in [solis.Game(), solis.load(), solis.plan("startpos", nodes=10)]:
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with self.assertRaises(TypeError):
                    pickle.dumps(thing, protocol)
            with self.assertRaises(TypeError):
                copy.copy(thing)

    def test_no_object_is_half_made(self):
        self.assertEqual(solis.Position.__new__(solis.Position), solis.Position())
        for name in ["Model", "Plan", "Line", "Batch", "Map", "Ratings", "Axis", "PgnReader"]:
            kind = getattr(solis, name)
            with self.assertRaises(TypeError):
                kind.__new__(kind)
            with self.assertRaises(TypeError):
                type("Derived", (kind,), {})


class GameTest(unittest.TestCase):
    def test_moves_are_played_and_taken_back(self):
        game = solis.Game("startpos", "e4", "e5")
        game.push("Nf3", "b8c6")
        self.assertEqual(game.san, ["e4", "e5", "Nf3", "Nc6"])
        self.assertEqual(game.pop(), "b8c6")
        self.assertEqual(len(game), 3)
        self.assertEqual(len(game.positions), 4)
        self.assertEqual(game.positions[-1], game.position)
        with self.assertRaises(solis.SolisError):
            solis.Game().pop()

    def test_repetition_counts(self):
        game = solis.Game()
        for _ in range(2):
            game.push("Nf3", "Nf6", "Ng1", "Ng8")
        self.assertEqual(game.repetitions(), 3)
        self.assertIsNone(game.outcome())
        self.assertEqual(game.outcome(claims=True), ("threefold repetition", None))


class PgnTest(FilesTest):
    def test_files_and_text_give_the_same_games(self):
        with open(self.pgn) as file:
            text = file.read()
        from_file, from_text = list(solis.read_pgn(self.pgn)), list(solis.read_pgn(text=text))
        self.assertEqual([g.moves for g in from_file], [g.moves for g in from_text])
        self.assertEqual(from_file[0].tags["White"], "a0")
        self.assertEqual(from_file[0].result, "1-0")

    def test_a_broken_game_raises_and_the_next_one_can_be_read(self):
        text = "1. e4 e5 2. Ke5 *\n\n[White \"x\"]\n\n1. d4 1-0\n"
        reader = solis.read_pgn(text=text)
        with self.assertRaises(solis.SolisError) as caught:
            next(reader)
        self.assertIn("line 1", caught.exception.message)
        self.assertIn("skip_broken", caught.exception.hint)
        self.assertEqual(next(reader).san, ["d4"])
        with self.assertRaises(StopIteration):
            next(reader)
        skipping = solis.read_pgn(text=text, skip_broken=True)
        self.assertEqual(len(list(skipping)), 1)
        self.assertEqual(skipping.broken, 1)

    def test_what_is_no_file_raises(self):
        for wrong in ["/no/such/file", self.folder, ""]:
            with self.assertRaises(solis.SolisError):
                list(solis.read_pgn(wrong))


if __name__ == "__main__":
    unittest.main()

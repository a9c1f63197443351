#!/usr/bin/env python3
"""An encoder of one's own as a process: pure Python and numpy, the protocol of docs/encoders.md.

It knows material, and a little about where pieces stand, through a fixed random projection. Try it:

    solis axis --encoder-command "python3 python/examples/process_encoder.py" \
        --data labels.sgt --out mine.safetensors
    solis rank startpos --model mine.safetensors \
        --encoder-command "python3 python/examples/process_encoder.py"
"""

import sys

import numpy as np

DIMS = 32
PIECES = "PNBRQKpnbrqk"
VALUES = np.array([1, 3, 3, 5, 9, 0, -1, -3, -3, -5, -9, 0], np.float32)
CENTRE = 3.5 - np.abs(np.arange(8) - 3.5)
PROJECTION = np.random.default_rng(1).normal(size=(12 * 64, DIMS - 3)).astype(np.float32)


def embed(fens):
    """n FENs to n x DIMS vectors, White's view; any length but 0."""
    boards = np.zeros((len(fens), 12, 64), np.float32)
    for row, fen in enumerate(fens):
        placement = fen.split()[0]
        square = 0
        for character in placement.replace("/", ""):
            if character.isdigit():
                square += int(character)
            else:
                boards[row, PIECES.index(character), square] = 1
                square += 1
    material = boards.sum(axis=2) @ VALUES
    centre = (boards * np.sign(VALUES)[:, None]).sum(axis=1) @ np.add.outer(CENTRE, CENTRE).ravel()
    turn = np.array([0.1 if fen.split()[1] == "w" else -0.1 for fen in fens], np.float32)
    z = np.concatenate([
        np.tanh(material / 6)[:, None],
        np.tanh(centre / 40)[:, None] * 0.3 + turn[:, None],
        np.ones((len(fens), 1), np.float32),
        boards.reshape(len(fens), -1) @ PROJECTION * 0.005,
    ], axis=1)
    return z.astype("<f4")


def main():
    requests, answers = sys.stdin, sys.stdout.buffer
    answers.write(f"solis-encoder 1 dims={DIMS} name=example counters=no batch=256\n".encode())
    answers.flush()
    for line in requests:
        count = int(line.split()[1])
        z = embed([requests.readline() for _ in range(count)])
        answers.write(f"vectors {count} {DIMS}\n".encode() + z.tobytes())
        answers.flush()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How well models order the quiet positions that a plan compares with one another.

    solis label --teacher net.nnue --plies 1 --from games.sgt --plan-trees 150 --children 0 --out trees.sgt
    python3 python/examples/tree_order.py trees.sgt 150 [MODEL ...]

Rank correlations over all positions also count what the positions of one game have in common and no
plan ever compares. Here they are taken among positions of one plan with the same side to move, within
400 centipawns of equality, and averaged. `rms` is the error of the win probability that a curve through
60 equal parts of the scores leaves, after the mean error of each plan is taken off.
"""

import sys

import numpy as np

import solis

VALUE = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 20}


def is_quiet(position):
    """No check, no promotion, and no capture of something as valuable or undefended."""
    if position.in_check:
        return False
    for move in position.legal_moves():
        if len(move) == 5:
            return False
        victim, attacker = position.piece_at(move[2:4]), position.piece_at(move[:2])
        if victim is None or victim.isupper() == attacker.isupper():
            continue
        if VALUE[victim.lower()] >= VALUE[attacker.lower()]:
            return False
        if not any(answer[2:4] == move[2:4] for answer in position.after(move).legal_moves()):
            return False
    return True


def ranks(values):
    return np.argsort(np.argsort(values))


path, per_tree = sys.argv[1], int(sys.argv[2])
positions, labels, turns = [], [], []
for batch in solis.Store(path).batches(4096, shuffle=False, unique=False, tokenizer=None, features=None):
    positions += list(batch.positions)
    labels.append(batch.mover_labels)
    turns.append(np.where(batch.white_to_move, 1, -1))
labels, turns = np.concatenate(labels), np.concatenate(turns)
kept = np.array([is_quiet(position) for position in positions]) & (np.abs(labels - 0.5) < 0.3135)
trees = np.arange(len(labels)) // per_tree * 2 + (turns + 1) // 2
groups = [rows for tree in np.unique(trees) if len(rows := np.flatnonzero(kept & (trees == tree))) >= 8]
rows = np.concatenate(groups)

for name in sys.argv[3:] or [None]:
    model = solis.load(name) if name else solis.load()
    scores = np.asarray(model.score(positions)) * turns
    order = rows[np.argsort(scores[rows])]
    parts = np.array_split(order, min(60, len(order)))
    curve = np.maximum.accumulate([labels[part].mean() for part in parts])
    errors = np.interp(scores, [scores[part].mean() for part in parts], curve) - labels
    within = np.concatenate([errors[group] - errors[group].mean() for group in groups])
    correlations = [np.corrcoef(ranks(scores[group]), ranks(labels[group]))[0, 1] for group in groups]
    mean = np.average(correlations, weights=[len(group) for group in groups])
    print(f"{name or 'embedded'}: order within trees {mean:.4f}, rms {np.sqrt(np.mean(within**2)):.4f}, "
          f"{len(rows)} positions of {len(groups)} groups")

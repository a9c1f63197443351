#!/usr/bin/env python3
"""The rank correlation of latent scores and labels, in ten lines of numpy.

    python3 python/examples/rank_correlation.py labels.sgt [model.safetensors]

`solis axis --keep-axis` prints the same figure as "Spearman" for held-out positions. It is taken in the
view in which the encoder sees; ties, which labels have many of (won positions), get their mean rank.
"""

import sys

import numpy as np

import solis


def ranks(values):
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]


model = solis.load(*sys.argv[2:3])
scores, labels = [], []
for batch in solis.Store(sys.argv[1]).batches(4096, split="validation", tokenizer=None, features=None):
    turn = np.where(batch.white_to_move | (model.view == "white"), 1, -1)
    scores.append(model.score(batch.positions) * turn)
    labels.append(batch.mover_labels if model.view == "mover" else batch.labels)
scores, labels = np.concatenate(scores), np.concatenate(labels)
spearman = np.corrcoef(ranks(scores), ranks(labels))[0, 1]
print(f"{len(labels)} held-out positions, Spearman {spearman:.4f}")

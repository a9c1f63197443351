#!/usr/bin/env python3
"""Losses and gradients by PyTorch's automatic differentiation, for tests/train/golden_loss_test.cpp.

Written from the definitions, not from the C++ code. Usage (needs python3-torch):
    python3 tests/golden/loss_golden.py > tests/files/loss_golden.txt

One case: name, kind, temperature, margin, rows, dims, then labels, z, loss and d loss / d z, as
numbers separated by white space. Inputs are exact in single precision.
"""
import random
import struct

import torch

ROWS, DIMS = 18, 6


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def unit_rows(rng):
    rows = []
    for _ in range(ROWS):
        v = [rng.gauss(0, 1) for _ in range(DIMS)]
        length = sum(x * x for x in v) ** 0.5
        rows.append([single(x / length) for x in v])
    return torch.tensor(rows, dtype=torch.float64, requires_grad=True)


# Multiples of 1/64, so that distances are exact and ties are ties in any precision.
def exact_labels(rng):
    return [rng.randrange(65) / 64 for _ in range(ROWS)]


# Anchors that lend their label to the positives that follow them.
def paper_labels(rng):
    labels = []
    while len(labels) < ROWS:
        labels += [rng.randrange(65) / 64] * 3
    return labels[:ROWS]


def attraction_loss(z, y, tau, weight_of):
    others = ~torch.eye(len(y), dtype=torch.bool)
    s = z @ z.T / tau
    log_p = s - torch.logsumexp(s.masked_fill(~others, float("-inf")), dim=1, keepdim=True)
    w = weight_of((y[:, None] - y[None, :]).abs()) * others
    has_positive = w.sum(1) > 0
    mean = (w * log_p).sum(1)[has_positive] / w.sum(1)[has_positive]
    return -mean.mean()


def supcon(z, y, tau, margin):
    return attraction_loss(z, y, tau, lambda d: (d < margin).double())


def soft(z, y, tau, margin):
    return attraction_loss(z, y, tau, lambda d: torch.clamp(1 - d / margin, min=0))


def rnc(z, y, tau, _margin):
    s = z @ z.T / tau
    d = (y[:, None] - y[None, :]).abs()
    terms = []
    for i in range(len(y)):
        for j in range(len(y)):
            if i == j:
                continue
            farther = [k for k in range(len(y)) if k != i and d[i, k] >= d[i, j]]
            terms.append(s[i, j] - torch.logsumexp(s[i, farther], dim=0))
    return -torch.stack(terms).mean()


def regression(z, y, _tau, _margin):
    return ((z[:, 0] - (2 * y - 1)) ** 2).mean()


def print_case(name, kind, loss, tau, margin, labels, z):
    y = torch.tensor(labels, dtype=torch.float64)
    value = loss(z, y, tau, margin)
    value.backward()
    print(name, kind, tau, margin, len(labels), DIMS)
    print(*labels)
    print(*z.detach().flatten().tolist())
    print(value.item())
    print(*z.grad.flatten().tolist())


def main():
    rng = random.Random(7)
    losses = {"supcon": supcon, "soft": soft, "rnc": rnc, "regression": regression}
    for views, labels in (("exact", exact_labels), ("paper", paper_labels)):
        for kind, loss in losses.items():
            for tau, margin in ((0.0625, 0.05), (0.5, 0.25)):
                print_case(f"{kind}-{views}-{tau}", kind, loss, tau, margin, labels(rng),
                           unit_rows(rng))


if __name__ == "__main__":
    main()

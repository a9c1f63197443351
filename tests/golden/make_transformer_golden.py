#!/usr/bin/env python3
"""Writes tests/files/transformer_golden.npz: what PyTorch's nn.TransformerEncoder makes of weights
that the tests can rebuild from a seed. Needs python3-torch and python3-numpy; the tests need only
the file.

Usage: python3 tests/golden/make_transformer_golden.py tests/files/transformer_golden.npz
"""
import math
import sys

import numpy as np
import torch
from torch import nn

PANEL = 16


def mix(z):
    """The finaliser of splitmix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def numbers(seed, tensor, count):
    """`count` numbers in [-1, 1): the tests have the same function."""
    start = np.uint64((seed << 48) + (tensor << 32))
    bits = mix((start + np.arange(count, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15))
    return ((bits >> np.uint64(40)).astype(np.float32) / np.float32(1 << 23)) - np.float32(1)


class Encoder(nn.Module):
    def __init__(self, vocabulary, tokens, dims, heads, mlp, layers):
        super().__init__()
        self.shape = (vocabulary, tokens, dims, heads, mlp, layers)
        self.embedding = nn.Embedding(vocabulary, dims)
        self.positional_encoding = nn.Parameter(torch.zeros(1, tokens + 1, dims))
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dims))
        layer = nn.TransformerEncoderLayer(dims, heads, mlp, dropout=0.1, activation="gelu",
                                           batch_first=True)
        self.transformer = nn.TransformerEncoder(layer, layers)
        self.projection = nn.Linear(dims, dims)

    def input(self, tokens):
        x = self.embedding(tokens)
        cls = self.cls_token.expand(x.shape[0], -1, -1)
        return torch.cat([cls, x], dim=1) + self.positional_encoding

    def forward(self, tokens):
        x = self.transformer(self.input(tokens))
        return nn.functional.normalize(self.projection(x[:, 0]), dim=-1)

    def ordered(self):
        """Parameters in the order of the tests."""
        names = ["embedding.weight", "positional_encoding", "cls_token"]
        for i in range(self.shape[5]):
            for part in ("self_attn.in_proj_weight", "self_attn.in_proj_bias",
                         "self_attn.out_proj.weight", "self_attn.out_proj.bias", "linear1.weight",
                         "linear1.bias", "linear2.weight", "linear2.bias", "norm1.weight",
                         "norm1.bias", "norm2.weight", "norm2.bias"):
                names.append(f"transformer.layers.{i}.{part}")
        names += ["projection.weight", "projection.bias"]
        own = dict(self.named_parameters())
        assert sorted(own) == sorted(names)
        return [(name, own[name]) for name in names]

    def fill(self, seed, gain):
        for index, (name, parameter) in enumerate(self.ordered()):
            values = numbers(seed, index, parameter.numel())
            if parameter.dim() == 2 and name != "embedding.weight":
                values = values * np.float32(gain / math.sqrt(parameter.shape[1]))
            elif ".norm" in name and name.endswith("weight"):
                values = np.float32(1) + np.float32(0.1) * values
            elif parameter.dim() == 1:
                values = values * np.float32(0.1)
            parameter.data = torch.from_numpy(values.reshape(parameter.shape).copy())


def random_tokens(seed, shape, samples):
    values = numbers(seed, 4000, samples * shape[1])
    tokens = ((values + 1) / 2 * shape[0]).astype(np.int64)
    return torch.from_numpy(tokens.reshape(samples, shape[1]))


class Masks:
    """Dropout as the project does it: by a hash of the element's place in panels of 16 columns."""

    def __init__(self, rate, seed):
        self.rate, self.seed = rate, seed

    def mask(self, rows, cols, layer, site, number):
        with np.errstate(over="ignore"):
            place = np.uint64(layer * 4 + site)
            start = np.uint64(self.seed) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(number + 1)
            key = np.uint32(mix(mix(start) + place) >> np.uint64(32))
            row, col = np.arange(rows)[:, None], np.arange(cols)[None, :]
            h = ((col // PANEL * rows + row) * PANEL + col % PANEL).astype(np.uint32)
            h = h * np.uint32(0x9E3779B1) + key
            h = (h ^ (h >> np.uint32(16))) * np.uint32(0x85EBCA6B)
            h = (h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35)
            h ^= h >> np.uint32(16)
        threshold = int(float(np.float32(self.rate)) * 2**32)
        kept = (h >> np.uint32(1)) >= np.uint32(threshold >> 1)
        return torch.from_numpy(kept.astype(np.float32)) / (1 - np.float32(self.rate))


def by_hand(model, tokens, masks):
    """The same network with the project's dropout; the last layer is for the CLS row only."""
    _, _, dims, heads, mlp, layers = model.shape
    width, rows = dims // heads, model.shape[1] + 1

    def attention(layer, x, queries, mask):
        a = layer.self_attn
        q, k, v = nn.functional.linear(x, a.in_proj_weight, a.in_proj_bias).split(dims, dim=1)
        out = []
        for h in range(heads):
            part = slice(h * width, (h + 1) * width)
            p = torch.softmax(q[queries, part] @ k[:, part].T / math.sqrt(width), dim=1)
            out.append((p * mask(h)) @ v[:, part])
        return torch.cat(out, dim=1)

    def feed(layer, x, o, mask):
        x = layer.norm1(x + layer.self_attn.out_proj(o) * mask(1, dims))
        inner = nn.functional.gelu(layer.linear1(x)) * mask(2, mlp)
        return layer.norm2(x + layer.linear2(inner) * mask(3, dims))

    inputs, last = [], layers - 1
    for sample, x in enumerate(model.input(tokens)):
        for l in range(last):
            layer = model.transformer.layers[l]
            o = attention(layer, x, slice(None),
                          lambda h: masks.mask(rows, rows, l, 0, sample * heads + h).T)
            x = feed(layer, x, o, lambda site, cols: masks.mask(rows, cols, l, site, sample))
        inputs.append(x)
    layer, o = model.transformer.layers[last], []
    for sample, x in enumerate(inputs):
        all_heads = masks.mask(rows, heads, last, 0, sample).T
        o.append(attention(layer, x, slice(0, 1), lambda h: all_heads[h:h + 1]))
    x0, count = torch.stack([x[0] for x in inputs]), len(inputs)
    x = feed(layer, x0, torch.cat(o),
             lambda site, cols: masks.mask(count, cols, last, site, 0))
    return nn.functional.normalize(model.projection(x), dim=-1)


def gradients(model, z, seed):
    """Of the sum of z times given numbers."""
    factors = torch.from_numpy(numbers(seed, 5000, z.numel()).reshape(z.shape))
    model.zero_grad()
    (z * factors).sum().backward()
    return [parameter.grad.numpy().copy() for _, parameter in model.ordered()]


def main():
    torch.manual_seed(0)
    tiny, mini, base = (9, 11, 32, 2, 48, 3), (77, 77, 128, 8, 256, 6), (77, 77, 1024, 16, 1024, 6)
    out = {}
    for name, shape, seed, gain, samples in (("tiny", tiny, 1, 1.7, 5), ("extreme", tiny, 2, 30, 5),
                                             ("mini", mini, 3, 1.7, 3), ("base", base, 4, 1.7, 1)):
        model = Encoder(*shape)
        model.fill(seed, gain)
        model.eval()
        tokens = random_tokens(seed, shape, samples)
        with torch.no_grad():
            z = model(tokens)
            # An unrelated way to the same numbers guards this file against itself.
            other = by_hand(model, tokens, Masks(0.0, 0)) if name != "base" else z
        assert (z - other).abs().max() < 1e-4, (name, (z - other).abs().max())
        out[f"{name}.z"] = z.numpy()
    for name, shape, seed, samples in (("tiny", tiny, 1, 5), ("mini", mini, 3, 3)):
        model = Encoder(*shape)
        model.fill(seed, 1.7)
        model.eval()
        tokens = random_tokens(seed, shape, samples)
        plain = gradients(model, model(tokens), seed)
        dropped_z = by_hand(model, tokens, Masks(0.1, 77))
        dropped = gradients(model, dropped_z, seed)
        out[f"{name}.dropped_z"] = dropped_z.detach().numpy()
        for kind, values in (("gradient", plain), ("dropped_gradient", dropped)):
            # Of large networks three projections of each tensor, on numbers that the tests know.
            for i, g in enumerate(values):
                if name == "tiny":
                    out[f"{name}.{kind}.{i}"] = g.reshape(-1)
                else:
                    flat = g.reshape(-1).astype(np.float64)
                    out[f"{name}.{kind}.{i}"] = np.array(
                        [flat @ numbers(seed, 6000 + k, flat.size) for k in range(3)] +
                        [np.linalg.norm(flat)]).astype(np.float32)
    np.savez_compressed(sys.argv[1], **out)


if __name__ == "__main__":
    main()

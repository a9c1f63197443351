#!/usr/bin/env python3
"""Trains an encoder with PyTorch on batches of a store, and lets SOLIS play with it.

    python3 python/examples/train_torch.py labels.sgt --out mine [--steps 2000]
    solis model import mine.weights.safetensors --features threats --out mine.encoder.safetensors
    solis axis --model mine.encoder.safetensors --data labels.sgt --out mine.safetensors
    solis analyze startpos --model mine.safetensors

The network is the smaller sister of the default model: sparse inputs of both sides, 64 accumulators
each, squared clamps, a linear map to 32 dimensions. The loss is the paper's: positions whose labels
are close attract each other, the others repel.
"""

import argparse
import json
import struct

import numpy as np
import torch

import solis

FEATURES, ACCUMULATORS, DIMS = "threats", 64, 32


class Encoder(torch.nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.input = torch.nn.EmbeddingBag(inputs, ACCUMULATORS, mode="sum", include_last_offset=True)
        self.bias = torch.nn.Parameter(torch.full((ACCUMULATORS,), 0.4))
        self.output = torch.nn.Linear(2 * ACCUMULATORS, DIMS)
        torch.nn.init.uniform_(self.input.weight, -0.12, 0.12)

    def forward(self, batch):
        views = [self.input(torch.from_numpy(v.indices), torch.from_numpy(v.offsets)) + self.bias
                 for v in (batch.mover, batch.opponent)]
        hidden = torch.cat(views, dim=1).clamp(0, 1) ** 2
        return torch.nn.functional.normalize(self.output(hidden), dim=1)


def contrastive_loss(z, labels, temperature=0.07, near=0.05):
    """Supervised contrastive loss: positives are pairs whose win probabilities differ little."""
    others = ~torch.eye(len(z), dtype=torch.bool)
    positive = ((labels[:, None] - labels[None]).abs() < near) & others
    log_share = (z @ z.T / temperature).masked_fill(~others, -torch.inf).log_softmax(dim=1)
    counts = positive.sum(dim=1)
    sums = torch.where(positive, log_share, torch.zeros(())).sum(dim=1)
    return -(sums / counts.clamp(min=1))[counts > 0].mean()


def save_safetensors(path, tensors):
    """The format is a header of JSON, its length before it, and the values after it."""
    header, data = {}, b""
    for name, values in tensors.items():
        array = np.ascontiguousarray(values.detach().numpy(), "<f4")
        header[name] = {"dtype": "F32", "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--out", required=True, help="OUT.weights.safetensors is written")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=512)
    options = parser.parse_args()
    torch.manual_seed(1)
    batches = solis.Store(options.store).batches(
        options.batch, split="train", epochs=0, tokenizer=None, features=FEATURES)
    encoder = Encoder(next(batches).mover.size)
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=options.steps)
    for step, batch in zip(range(options.steps), batches):
        loss = contrastive_loss(encoder(batch), torch.from_numpy(batch.mover_labels))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % max(1, options.steps // 10) == 0:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)
    save_safetensors(f"{options.out}.weights.safetensors", {
        "input.weight": encoder.input.weight,
        "input.bias": encoder.bias,
        "output.weight": encoder.output.weight.T[None],
        "output.bias": encoder.output.bias[None],
    })
    print(f"wrote {options.out}.weights.safetensors")


if __name__ == "__main__":
    main()

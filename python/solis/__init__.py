"""Latent planning for chess: positions, embeddings, plans, maps and ratings.

    >>> import solis
    >>> model = solis.load()
    >>> model.embed(["startpos"]).shape == (1, model.dims)
    True
    >>> solis.plan("startpos", depth=4).best in solis.legal_moves("startpos")
    True

Scores, win probabilities and labels are White's unless a name says otherwise.
The guide is docs/python.md.
"""

from solis._core import (  # noqa: F401
    Axis,
    Batch,
    Batches,
    Calibration,
    Game,
    Line,
    Map,
    Model,
    PgnReader,
    Plan,
    PlanInfo,
    Position,
    Rating,
    Ratings,
    SolisError,
    Sparse,
    Store,
    Trace,
    __version__,
    legal_moves,
    load,
    load_map,
    plan,
    rate,
    read_pgn,
    trace,
    umap,
)

__all__ = [name for name in dir() if not name.startswith("_")]

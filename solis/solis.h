// The public surface of the library: what programs of others include. Everything it declares, and
// nothing else, is installed; docs/library.md shows how to use it.
#pragma once

// Failure as a value, input and threads.
#include "solis/base/byte_source.h"
#include "solis/base/result.h"
#include "solis/base/thread_pool.h"

// Positions, legal moves, rules, and the notations of chess.
#include "solis/chess/fen.h"
#include "solis/chess/game.h"
#include "solis/chess/movegen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/position.h"
#include "solis/chess/rules.h"
#include "solis/chess/san.h"
#include "solis/chess/uci_move.h"

// Models: scores and embeddings in batches, calibrated win probabilities; own encoders.
#include "solis/model/custom_encoder.h"
#include "solis/model/evaluator.h"
#include "solis/model/open.h"

// Plans, with an observer.
#include "solis/planner/plan.h"

// Verdicts for people, and games as paths through the latent space.
#include "solis/analysis/analyst.h"
#include "solis/analysis/space/trace.h"

// Maps of the latent space, and where a new point lies on one.
#include "solis/atlas/file/map_file.h"
#include "solis/atlas/map.h"

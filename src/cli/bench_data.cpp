// solis bench data: how fast and how small the store is, next to one packed record per position
// and to text, all holding the same labels.
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>

#include <unistd.h>

#include "base/byte_sink.h"
#include "chess/movegen.h"
#include "cli/commands.h"
#include "data/packed_position.h"
#include "data/sampler.h"
#include "data/store_reader.h"
#include "data/store_writer.h"
#include "data/tree_text.h"

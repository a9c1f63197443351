// solis.Store: labelled positions as arrays, for trainers of one's own.
#include <mutex>
#include <optional>

#include <pybind11/stl.h>

#include "python/src/common.h"
#include "solis/chess/fen.h"
#include "solis/data/inputs/swift_features.h"
#include "solis/data/inputs/tokenizer.h"
#include "solis/data/sampler.h"

namespace solis::python {
namespace {

using data::Sample;

constexpr std::size_t kLargestBatch = std::size_t{1} << 20;

// Sparse inputs of a batch in one perspective: row i has indices[offsets[i]:offsets[i + 1]].
struct SparseRows {
    std::vector<std::int32_t> indices;
    std::vector<std::int32_t> offsets;
};

struct PySparse {
    py::array indices;
    py::array offsets;
    int size = 0;  // indices are below it
};

// What is made of samples without the GIL.
struct Columns {
    std::vector<std::uint8_t> tokens;
    SparseRows mover, opponent;
    std::vector<float> labels, mover_labels;
    std::vector<std::int16_t> scores;
    std::vector<std::uint8_t> white_to_move, pieces, branch;
    std::vector<chess::Position> positions;
};

struct PyBatch {
    py::object tokens;  // None where they were not asked for
    py::object mover, opponent;
    py::array labels, mover_labels, scores, white_to_move, pieces, branch;
    std::vector<chess::Position> positions;
};

struct Inputs {
    std::optional<data::Tokenizer> tokenizer;
    std::optional<data::SwiftFeatureSet> features;
};

void add_sparse(const Inputs& inputs, const chess::Position& position, Columns& columns) {
    const data::SwiftBoard board(*inputs.features, position);
    const auto add = [&](chess::Color side, SparseRows& rows) {
        rows.offsets.push_back(static_cast<std::int32_t>(rows.indices.size()));
        data::for_each_input(*inputs.features, position, board, data::swift_view(position, side),
                             [&](int input) { rows.indices.push_back(input); });
    };
    add(position.side_to_move(), columns.mover);
    add(~position.side_to_move(), columns.opponent);
}

Columns columns_of(std::span<const Sample> samples, const Inputs& inputs) {
    Columns columns;
    for (const Sample& sample : samples) {
        const chess::Position& position = sample.position;
        if (inputs.tokenizer) {
            const data::Tokens tokens = data::tokenize(position, *inputs.tokenizer);
            columns.tokens.insert(columns.tokens.end(), tokens.begin(), tokens.end());
        }
        if (inputs.features) add_sparse(inputs, position, columns);
        columns.labels.push_back(static_cast<float>(sample.white_probability()));
        columns.mover_labels.push_back(static_cast<float>(sample.mover_probability()));
        columns.scores.push_back(static_cast<std::int16_t>(sample.label.score.value()));
        columns.white_to_move.push_back(position.side_to_move() == chess::Color::White);
        columns.pieces.push_back(static_cast<std::uint8_t>(chess::count(position.pieces())));
        columns.branch.push_back(sample.label.kind == data::PositionKind::Branch);
        columns.positions.push_back(position);
    }
    for (SparseRows* rows : {&columns.mover, &columns.opponent}) {
        rows->offsets.push_back(static_cast<std::int32_t>(rows->indices.size()));
    }
    return columns;
}

PyBatch to_batch(Columns columns, const Inputs& inputs) {
    PyBatch batch;
    const auto rows = static_cast<py::ssize_t>(columns.labels.size());
    batch.tokens = inputs.tokenizer
                       ? py::object(to_array(std::move(columns.tokens), {rows, data::kTokenCount}))
                       : py::none();
    const auto sparse = [&](SparseRows& side) -> py::object {
        if (!inputs.features) return py::none();
        return py::cast(PySparse{to_array(std::move(side.indices)),
                                 to_array(std::move(side.offsets)),
                                 data::input_count(*inputs.features)});
    };
    batch.mover = sparse(columns.mover);
    batch.opponent = sparse(columns.opponent);
    batch.labels = to_array(std::move(columns.labels));
    batch.mover_labels = to_array(std::move(columns.mover_labels));
    batch.scores = to_array(std::move(columns.scores));
    const auto flags = [](std::vector<std::uint8_t> values) {
        return py::array(to_array(std::move(values)).attr("view")("bool"));
    };
    batch.white_to_move = flags(std::move(columns.white_to_move));
    batch.branch = flags(std::move(columns.branch));
    batch.pieces = to_array(std::move(columns.pieces));
    batch.positions = std::move(columns.positions);
    return batch;
}

// Where samples come from: at most `count` of them, fewer only at the end.
class Supply {
  public:
    virtual ~Supply() = default;
    virtual void take(std::size_t count, std::vector<Sample>& out) = 0;
};

// Shuffled, each position once per epoch.
class ShuffledSupply final : public Supply {
  public:
    ShuffledSupply(data::PositionSampler sampler, std::uint64_t epochs)
        : sampler_(std::move(sampler)) {
        const std::uint64_t size = sampler_.size();
        left_ = epochs == 0 || epochs > UINT64_MAX / size ? UINT64_MAX : epochs * size;
    }
    void take(std::size_t count, std::vector<Sample>& out) override {
        out.resize(static_cast<std::size_t>(std::min<std::uint64_t>(count, left_)));
        check(sampler_.next(out));
        if (left_ != UINT64_MAX) left_ -= out.size();
    }

  private:
    data::PositionSampler sampler_;
    std::uint64_t left_ = 0;
};

// In the order of the file.
class OrderedSupply final : public Supply {
  public:
    OrderedSupply(data::StoreSource source, data::SampleFilter filter)
        : source_(std::move(source)), filter_(filter) {}
    void take(std::size_t count, std::vector<Sample>& out) override {
        out.clear();
        while (out.size() < count) {
            if (next_ < ready_.size()) {
                const std::size_t more = std::min(count - out.size(), ready_.size() - next_);
                out.insert(out.end(), ready_.begin() + static_cast<std::ptrdiff_t>(next_),
                           ready_.begin() + static_cast<std::ptrdiff_t>(next_ + more));
                next_ += more;
                continue;
            }
            if (!refill()) return;
        }
    }

  private:
    bool refill() {
        ready_.clear();
        next_ = 0;
        if (ended_ || !value_of(source_.next(game_))) {
            ended_ = true;
            return false;
        }
        Sample item;
        data::visit_items(game_, item, [&](const Sample& sample) {
            if (data::passes(filter_, sample)) ready_.push_back(sample);
        });
        return true;
    }

    data::StoreSource source_;
    data::SampleFilter filter_;
    data::LabelledGame game_;
    std::vector<Sample> ready_;
    std::size_t next_ = 0;
    bool ended_ = false;
};

// Several Python threads may share it.
class Batches {
  public:
    Batches(std::unique_ptr<Supply> supply, std::size_t size, Inputs inputs, bool drop_last)
        : supply_(std::move(supply)), size_(size), inputs_(inputs), drop_last_(drop_last) {}

    PyBatch next() {
        Columns columns;
        {
            const py::gil_scoped_release release;
            const std::lock_guard lock(mutex_);
            supply_->take(size_, samples_);
            columns = columns_of(samples_, inputs_);
        }
        check_signals();
        const std::size_t rows = columns.labels.size();
        if (rows == 0 || (drop_last_ && rows < size_)) throw py::stop_iteration();
        return to_batch(std::move(columns), inputs_);
    }

  private:
    std::mutex mutex_;
    std::unique_ptr<Supply> supply_;
    std::vector<Sample> samples_;
    std::size_t size_;
    Inputs inputs_;
    bool drop_last_;
};

struct PyStore {
    std::string path;
    std::shared_ptr<const data::StoreFile> file;

    [[nodiscard]] std::uint64_t sum(std::uint32_t data::BlockEntry::*member) const {
        std::uint64_t all = 0;
        for (const data::BlockEntry& block : file->blocks()) all += block.*member;
        return all;
    }
};

PyStore open_store(const py::object& path) {
    PyStore store{to_path(path), nullptr};
    const py::gil_scoped_release release;
    store.file =
        std::make_shared<const data::StoreFile>(value_of(data::StoreFile::open(store.path)));
    return store;
}

Inputs inputs_of(const std::optional<std::string>& tokenizer,
                 const std::optional<std::string>& features) {
    Inputs inputs;
    if (tokenizer) {
        inputs.tokenizer = data::tokenizer_from_name(*tokenizer);
        if (!inputs.tokenizer) {
            raise("there is no tokenizer '" + *tokenizer + "'", "'deepmind' or 'reference'");
        }
    }
    if (features) inputs.features = value_of(data::parse_swift_feature_set(*features));
    return inputs;
}

std::unique_ptr<Batches> batches(const PyStore& store, std::size_t size,
                                 const std::optional<std::string>& split, bool shuffle,
                                 std::uint64_t seed, std::uint64_t epochs, bool unique,
                                 const std::optional<std::string>& tokenizer,
                                 const std::optional<std::string>& features, bool branches,
                                 bool skip_damaged, bool drop_last) {
    if (size == 0 || size > kLargestBatch) {
        raise("a batch of " + std::to_string(size) + " positions, expected 1 to " +
              std::to_string(kLargestBatch));
    }
    const Inputs inputs = inputs_of(tokenizer, features);
    data::SamplerOptions options;
    options.seed = Seed{seed};
    options.filter.branches = branches;
    options.unique = unique;
    options.on_damage = skip_damaged ? data::OnDamage::Skip : data::OnDamage::Stop;
    if (split) options.split = value_of(data::split_from_name(*split));
    std::unique_ptr<Supply> supply;
    const py::gil_scoped_release release;
    if (shuffle) {
        supply = std::make_unique<ShuffledSupply>(
            value_of(data::PositionSampler::open({store.path}, options)), epochs);
    } else {
        if (epochs != 1) raise("batches in the order of the file are one epoch", "shuffle=True");
        supply = std::make_unique<OrderedSupply>(
            data::StoreSource(value_of(data::StoreFile::open(store.path)), options.on_damage,
                              options.split),
            options.filter);
    }
    return std::make_unique<Batches>(std::move(supply), size, inputs, drop_last);
}

void bind_batches(py::module_& module) {
    py::class_<PySparse>(module, "Sparse", py::is_final(),
                         "Active inputs of a batch: row i has indices[offsets[i]:offsets[i + 1]], "
                         "as torch's embedding_bag takes them with include_last_offset.")
        .def_readonly("indices", &PySparse::indices, "int32, all rows one after the other.")
        .def_readonly("offsets", &PySparse::offsets, "int32, one more than rows.")
        .def_readonly("size", &PySparse::size, "Indices are below it.");
    py::class_<PyBatch>(module, "Batch", py::is_final(), "Labelled positions as arrays.")
        .def_readonly("tokens", &PyBatch::tokens, "uint8, n x 77: what a transformer sees.")
        .def_readonly("mover", &PyBatch::mover, "Sparse inputs as the side to move sees them.")
        .def_readonly("opponent", &PyBatch::opponent, "The same as the other side sees them.")
        .def_readonly("labels", &PyBatch::labels, "float32, White's win probability.")
        .def_readonly("mover_labels", &PyBatch::mover_labels,
                      "float32, win probability of the side to move.")
        .def_readonly("scores", &PyBatch::scores,
                      "int16, centipawns of the side to move; mate in n is 32000 - n.")
        .def_readonly("white_to_move", &PyBatch::white_to_move, "bool.")
        .def_readonly("pieces", &PyBatch::pieces, "uint8, number of pieces on the board.")
        .def_readonly("branch", &PyBatch::branch, "bool: reached by a move that was not played.")
        .def_readonly("positions", &PyBatch::positions, "As solis.Position.")
        .def("__len__", [](const PyBatch& b) { return b.positions.size(); });
    py::class_<Batches>(module, "Batches", py::is_final(), "Batches of a store, one by one.")
        .def("__iter__", [](py::object self) { return self; })
        .def("__next__", &Batches::next);
}

}  // namespace

void bind_stores(py::module_& module) {
    bind_batches(module);
    py::class_<PyStore>(module, "Store", py::is_final(), "A file of labelled games (.sgt).")
        .def(py::init(&open_store), py::arg("path"))
        .def_readonly("path", &PyStore::path)
        .def_property_readonly("games",
                               [](const PyStore& s) { return s.sum(&data::BlockEntry::games); })
        .def_property_readonly(
            "positions", [](const PyStore& s) { return s.sum(&data::BlockEntry::positions); },
            "Positions of lines and branches, labelled or not.")
        .def_property_readonly(
            "manifest",
            [](const PyStore& s) {
                return py::module_::import("json").attr("loads")(
                    data::to_json_text(s.file->manifest()));
            },
            "Where the games come from, as a dict.")
        .def("batches", &batches, py::arg("size"), py::kw_only(), py::arg("split") = py::none(),
             py::arg("shuffle") = true, py::arg("seed") = 1, py::arg("epochs") = 1,
             py::arg("unique") = true, py::arg("tokenizer") = "deepmind",
             py::arg("features") = "relations", py::arg("branches") = true,
             py::arg("skip_damaged") = false, py::arg("drop_last") = false,
             "Iterates over the labelled positions in batches.\n\n"
             "split is 'train', 'validation', 'test' or None for all. Shuffled, the order depends "
             "on seed alone; epochs=0 never ends; unique gives each position once. tokenizer and "
             "features may be None where tokens or sparse inputs are not needed; features is "
             "'pieces', 'threats' or 'relations'.")
        .def("__repr__", [](const PyStore& s) {
            return "<solis.Store '" + s.path +
                   "': " + std::to_string(s.sum(&data::BlockEntry::games)) + " games>";
        });
}

}  // namespace solis::python

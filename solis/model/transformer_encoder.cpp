// Transformer encoder <-> tensors and metadata.
#include "solis/model/transformer_encoder.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "solis/model/tensor_access.h"

namespace solis::model {
namespace {

const std::string kTokenizer = "solis.transformer.tokenizer";

// Sizes that are written down; the number of tokens follows from the tokenizer.
constexpr std::array kTransformerSizes{
    std::pair{"solis.transformer.vocabulary", &nn::TransformerShape::vocabulary},
    std::pair{"solis.transformer.dims", &nn::TransformerShape::dims},
    std::pair{"solis.transformer.heads", &nn::TransformerShape::heads},
    std::pair{"solis.transformer.mlp", &nn::TransformerShape::mlp},
    std::pair{"solis.transformer.layers", &nn::TransformerShape::layers}};

Result<data::Tokenizer> parse_tokenizer(std::string_view name) {
    if (const auto tokenizer = data::tokenizer_from_name(name)) return *tokenizer;
    return fail(fmt::format("unknown tokenizer '{}'", name.substr(0, 40)),
                "known are: deepmind, reference");
}

// The tensor, if it has this many dimensions.
Result<const nn::Tensor*> find_matrix(const nn::TensorFile& file, const std::string& name) {
    const nn::Tensor* tensor = file.find(name);
    if (tensor == nullptr) return fail(fmt::format("tensor '{}' is missing", name));
    if (tensor->shape.size() == 2) return tensor;
    return fail(fmt::format("tensor '{}' has shape {}, expected two dimensions", name,
                            nn::shape_text(tensor->shape)));
}

// Programs differ in whether parameters carry a batch dimension of 1.
void set_rank(nn::TensorFile& file, std::string_view name, std::size_t rank) {
    for (nn::Tensor& tensor : file.tensors) {
        if (tensor.name != name) continue;
        while (tensor.shape.size() > rank && tensor.shape[0] == 1) {
            tensor.shape.erase(tensor.shape.begin());
        }
        while (tensor.shape.size() < rank) tensor.shape.insert(tensor.shape.begin(), 1);
    }
}

std::size_t count_layers(const nn::TensorFile& file) {
    std::size_t layers = 0;
    while (file.find(fmt::format("transformer.layers.{}.linear1.weight", layers)) != nullptr) {
        ++layers;
    }
    return layers;
}

Result<std::size_t> heads_of_known_network(std::size_t dims) {
    for (const char* name : {"mini", "base"}) {
        const auto known = nn::transformer_preset(name);
        if (known && static_cast<std::size_t>(known->dims) == dims) {
            return static_cast<std::size_t>(known->heads);
        }
    }
    return fail(fmt::format("the file does not say how many heads {} dimensions have", dims),
                "name the number: --heads N");
}

}  // namespace

Result<void> check_tokens(const nn::TransformerShape& shape, data::Tokenizer tokenizer) {
    if (shape.tokens != data::kTokenCount) {
        return fail(fmt::format("transformer: {} tokens, a position has {}", shape.tokens,
                                data::kTokenCount));
    }
    if (shape.vocabulary >= data::vocabulary_size(tokenizer)) return {};
    return fail(
        fmt::format("transformer: a table for {} tokens, the '{}' tokenizer has {}",
                    shape.vocabulary, data::name_of(tokenizer), data::vocabulary_size(tokenizer)),
        "the weights belong to another tokenizer");
}

void add_transformer_encoder(const TransformerEncoder& encoder, nn::TensorFile& file) {
    file.metadata[kTokenizer] = data::name_of(encoder.tokenizer);
    for (const auto& [key, member] : kTransformerSizes) {
        file.metadata[key] = fmt::format("{}", encoder.shape.*member);
    }
    for (const nn::Tensor& tensor : encoder.weights.all) file.tensors.push_back(tensor);
}

Result<TransformerEncoder> take_transformer_encoder(nn::TensorFile& file) {
    const auto name = require_text(file, kTokenizer);
    if (!name) return tl::unexpected(name.error());
    const auto tokenizer = parse_tokenizer(*name);
    if (!tokenizer) return tl::unexpected(tokenizer.error());
    nn::TransformerShape shape;
    shape.tokens = data::kTokenCount;
    for (const auto& [key, member] : kTransformerSizes) {
        const auto number = require_number(file, key);
        if (!number) return tl::unexpected(number.error());
        shape.*member = *number;
    }
    if (auto ok = shape.validate(); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_tokens(shape, *tokenizer); !ok) return tl::unexpected(ok.error());
    // Checked before memory is reserved for what the metadata claims.
    std::vector<nn::Tensor> tensors;
    for (const nn::TensorSpec& spec : nn::TransformerWeights::specs(shape)) {
        auto tensor = require_tensor(file, spec);
        if (!tensor) return tl::unexpected(tensor.error());
        tensors.push_back(std::move(*tensor));
    }
    TransformerEncoder encoder(*tokenizer, shape);
    encoder.weights.all = std::move(tensors);
    return encoder;
}

bool looks_like_transformer(const nn::TensorFile& file) {
    return file.find("embedding.weight") != nullptr || count_layers(file) > 0;
}

Result<void> add_inferred_transformer_metadata(std::string_view tokenizer, int heads,
                                               nn::TensorFile& file) {
    if (!tokenizer.empty()) file.metadata[kTokenizer] = tokenizer;
    file.metadata.emplace(kTokenizer, data::name_of(data::Tokenizer::Deepmind));
    const auto embedding = find_matrix(file, "embedding.weight");
    if (!embedding) return tl::unexpected(embedding.error());
    const auto up = find_matrix(file, "transformer.layers.0.linear1.weight");
    if (!up) return tl::unexpected(up.error());
    const std::size_t dims = (*embedding)->shape[1];
    const auto add = [&](const char* key, std::size_t value) {
        file.metadata.emplace(key, fmt::format("{}", value));
    };
    add("solis.transformer.vocabulary", (*embedding)->shape[0]);
    add("solis.transformer.dims", dims);
    add("solis.transformer.mlp", (*up)->shape[0]);
    add("solis.transformer.layers", count_layers(file));
    if (heads > 0) {
        file.metadata["solis.transformer.heads"] = fmt::format("{}", heads);
    } else if (file.metadata.count("solis.transformer.heads") == 0) {
        const auto known = heads_of_known_network(dims);
        if (!known) return tl::unexpected(known.error());
        add("solis.transformer.heads", *known);
    }
    set_rank(file, "positional_encoding", 3);
    set_rank(file, "cls_token", 3);
    return {};
}

}  // namespace solis::model

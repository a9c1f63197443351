// The transformer encoder's parameters, and how they are written down in a tensor file.
#pragma once
#include "solis/base/result.h"
#include "solis/data/inputs/tokenizer.h"
#include "solis/nn/io/safetensors.h"
#include "solis/nn/transformer/weights.h"

namespace solis::model {

// Sees the board as White does.
struct TransformerEncoder {
    data::Tokenizer tokenizer = data::Tokenizer::Deepmind;
    nn::TransformerShape shape;  // takes as many tokens as the tokenizer gives
    nn::TransformerWeights weights;

    // Weights are 0.
    TransformerEncoder(data::Tokenizer positions_as, const nn::TransformerShape& net_shape)
        : tokenizer(positions_as), shape(net_shape), weights(net_shape) {}
};

// Refuses networks that do not take the tokenizer's tokens.
[[nodiscard]] Result<void> check_tokens(const nn::TransformerShape& shape,
                                        data::Tokenizer tokenizer);

// Adds the weights under their names in PyTorch's state_dict, and sizes and tokenizer as metadata.
void add_transformer_encoder(const TransformerEncoder& encoder, nn::TensorFile& file);
// Takes the weights and metadata that add_transformer_encoder adds out of `file`. Refuses missing
// or unknown sizes, missing tensors, other shapes and values that are not finite; the error names
// the tensor, what was expected and what was found.
[[nodiscard]] Result<TransformerEncoder> take_transformer_encoder(nn::TensorFile& file);

// Whether the file has a transformer's tensors.
[[nodiscard]] bool looks_like_transformer(const nn::TensorFile& file);
// For a state_dict of PyTorch: adds what the shapes of the tensors tell, and takes leading ones off
// or puts them on. The number of heads cannot be told from the shapes and is taken from `heads`, or
// where it is 0 from the paper's networks. An empty tokenizer is the default one.
[[nodiscard]] Result<void> add_inferred_transformer_metadata(std::string_view tokenizer, int heads,
                                                             nn::TensorFile& file);

}  // namespace solis::model

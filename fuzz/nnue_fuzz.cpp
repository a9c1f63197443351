// Net files: any bytes either are refused or load to a net that survives a round trip and whose
// kernels agree with plain loops.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "solis/nn/nnue/net.h"

namespace nn = solis::nn;

namespace {

constexpr std::size_t kInputs = 1;  // whole files would be 47 MB

// A valid file of zeros, to which the input's bytes are added from a place on that they name: the
// fuzzer need not find the hashes inside.
std::string changed_file(std::string_view input) {
    nn::NnueWeights weights;
    weights.inputs = kInputs;
    weights.bias.resize(nn::kNnueAccumulators);
    weights.input_weight.resize(kInputs * nn::kNnueAccumulators);
    weights.input_psqt.resize(kInputs * nn::kNnueStacks);
    weights.stacks.resize(nn::kNnueStacks);
    for (nn::NnueStack& stack : weights.stacks) {
        stack = {};
        stack.hidden_weight.resize(nn::kNnueHidden * nn::kNnueAccumulators);
    }
    std::string bytes = to_nnue(weights);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(input[i]); };
    const std::size_t first = (byte(0) | byte(1) << 8 | byte(2) << 16) % bytes.size();
    for (std::size_t i = 3; i < input.size() && first + i - 3 < bytes.size(); ++i) {
        bytes[first + i - 3] = static_cast<char>(bytes[first + i - 3] + input[i]);
    }
    return bytes;
}

void check(std::string_view bytes) {
    const auto weights = nn::parse_nnue(bytes, kInputs);
    if (!weights) return;
    const std::string again = nn::to_nnue(*weights);
    if (again.size() != bytes.size() || !nn::parse_nnue(again, kInputs)) std::abort();
    const nn::NnueNet net(*weights);
    nn::NnueChanges changes;
    changes.add(0);
    nn::NnueAccumulator view;
    net.update(net.empty(), changes, view);
    for (std::size_t stack = 0; stack < nn::kNnueStacks; ++stack) {
        const nn::NnueValue fast = net.evaluate(view, net.empty(), stack);
        const nn::NnueValue slow = nn::nnue_evaluate_reference(*weights, view, net.empty(), stack);
        if (fast.material != slow.material || fast.positional != slow.positional) std::abort();
        if (fast.total() != slow.total()) std::abort();
    }
}

}  // namespace

int nnue_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (size >= 4 && data[0] != 0) {
        check(bytes);
    } else if (size >= 4) {
        check(changed_file(bytes.substr(1)));
    }
    return 0;
}

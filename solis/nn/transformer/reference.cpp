// Plain loops, as the formulas are written.
#include "solis/nn/transformer/reference.h"

#include <algorithm>
#include <cmath>

namespace solis::nn {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

Row linear(const Row& x, const Tensor& weight, const Tensor& bias) {
    Row y(weight.shape[0]);
    for (std::size_t n = 0; n < y.size(); ++n) {
        y[n] = static_cast<double>(bias.values[n]);
        for (std::size_t k = 0; k < x.size(); ++k) {
            y[n] += static_cast<double>(weight.values[n * x.size() + k]) * x[k];
        }
    }
    return y;
}

Row layer_norm(const Row& x, const Tensor& gain, const Tensor& bias) {
    const auto count = static_cast<double>(x.size());
    double mean = 0, variance = 0;
    for (const double value : x) mean += value / count;
    for (const double value : x) variance += (value - mean) * (value - mean) / count;
    Row y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = (x[i] - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(gain.values[i]) +
               static_cast<double>(bias.values[i]);
    }
    return y;
}

Row add(const Row& a, const Row& b) {
    Row sum(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
    return sum;
}

// What one row's query, in columns [first, first + width) of qkv, finds in all rows.
void attend_head(const Rows& qkv, std::size_t row, std::size_t first, std::size_t width,
                 std::size_t dims, Row& out) {
    Row p(qkv.size());
    for (std::size_t other = 0; other < qkv.size(); ++other) {
        for (std::size_t i = first; i < first + width; ++i) {
            p[other] += qkv[row][i] * qkv[other][dims + i];
        }
        p[other] /= std::sqrt(static_cast<double>(width));
    }
    const double most = *std::max_element(p.begin(), p.end());
    double sum = 0;
    for (double& value : p) sum += value = std::exp(value - most);
    for (std::size_t other = 0; other < qkv.size(); ++other) {
        for (std::size_t i = first; i < first + width; ++i) {
            out[i] += p[other] / sum * qkv[other][2 * dims + i];
        }
    }
}

void run_layer(const TransformerShape& shape, const TransformerWeights& weights, std::size_t layer,
               Rows& x) {
    const auto part = [&](LayerPart which) -> const Tensor& { return weights.part(layer, which); };
    Rows qkv;
    for (const Row& row : x) {
        qkv.push_back(linear(row, part(LayerPart::InWeight), part(LayerPart::InBias)));
    }
    const std::size_t dims = x[0].size(), width = shape.head_dims();
    for (std::size_t row = 0; row < x.size(); ++row) {
        Row attended(dims);
        for (std::size_t first = 0; first < dims; first += width) {
            attend_head(qkv, row, first, width, dims, attended);
        }
        const Row out = linear(attended, part(LayerPart::OutWeight), part(LayerPart::OutBias));
        x[row] =
            layer_norm(add(x[row], out), part(LayerPart::Norm1Weight), part(LayerPart::Norm1Bias));
        Row inner = linear(x[row], part(LayerPart::UpWeight), part(LayerPart::UpBias));
        for (double& value : inner) value *= 0.5 * std::erfc(-value / std::sqrt(2.0));
        const Row down = linear(inner, part(LayerPart::DownWeight), part(LayerPart::DownBias));
        x[row] =
            layer_norm(add(x[row], down), part(LayerPart::Norm2Weight), part(LayerPart::Norm2Bias));
    }
}

}  // namespace

std::vector<double> transformer_reference(const TransformerShape& shape,
                                          const TransformerWeights& weights,
                                          std::span<const std::uint8_t> tokens) {
    const auto dims = static_cast<std::size_t>(shape.dims);
    const auto value = [&](std::size_t tensor, std::size_t row, std::size_t i) {
        return static_cast<double>(weights.all[tensor].values[row * dims + i]);
    };
    Rows x(shape.rows(), Row(dims));
    for (std::size_t row = 0; row < x.size(); ++row) {
        for (std::size_t i = 0; i < dims; ++i) {
            x[row][i] = value(kPositions, row, i) +
                        (row == 0 ? value(kClsToken, 0, i) : value(kEmbedding, tokens[row - 1], i));
        }
    }
    for (std::size_t l = 0; l < static_cast<std::size_t>(shape.layers); ++l) {
        run_layer(shape, weights, l, x);
    }
    Row z = linear(x[0], weights.projection_weight(), weights.projection_bias());
    double squares = 0;
    for (const double v : z) squares += v * v;
    for (double& v : z) v /= std::max(std::sqrt(squares), 1e-12);
    return z;
}

}  // namespace solis::nn

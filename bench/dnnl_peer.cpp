// Speed of the paper's encoder made of oneDNN's primitives on one core, for
//   solis bench encoder --preset mini --peer build/release/dnnl-peer
// Prints one line of JSON: positions per CPU second, inference in float32. All rows of all layers,
// weights in the layout that oneDNN prefers, GELU fused into its product.
//
// Usage: dnnl-peer VOCABULARY TOKENS DIMS HEADS MLP LAYERS
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>
#include <omp.h>

namespace {

using dnnl::memory;
using Dims = memory::dims;
constexpr auto kFloat = memory::data_type::f32;

struct Shape {
    memory::dim rows, dims, heads, mlp, layers;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The encoder for batches of one size: a list of primitives with what they read and write.
class Encoder {
  public:
    Encoder(const Shape& shape, memory::dim batch)
        : shape_(shape),
          rows_(batch * shape.rows),
          batch_(batch),
          x_(matrix(shape.dims)),
          x1_(matrix(shape.dims)),
          qkv_(matrix(3 * shape.dims)),
          o_(matrix(shape.dims)),
          change_(matrix(shape.dims)),
          inner_(matrix(shape.mlp)) {
        for (memory::dim layer = 0; layer < shape.layers; ++layer) add_layer();
    }

    void run() {
        for (Step& step : steps_) step.primitive.execute(stream_, step.arguments);
        stream_.wait();
    }

  private:
    struct Step {
        dnnl::primitive primitive;
        std::unordered_map<int, memory> arguments;
    };

    memory filled(const memory::desc& desc) {
        memory result(desc, engine_);
        auto* const values = static_cast<float*>(result.get_data_handle());
        const std::size_t count = desc.get_size() / sizeof(float);
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = 0.05f * static_cast<float>(static_cast<int>(i * 7919 % 41) - 20) / 20;
        }
        return result;
    }
    memory matrix(memory::dim cols) {
        return filled({{rows_, cols}, kFloat, memory::format_tag::ab});
    }

    // y = x W^T + bias, with GELU behind it if wanted.
    void add_linear(memory& x, memory& y, bool with_gelu = false) {
        const memory::dim in = x.get_desc().dims()[1], out = y.get_desc().dims()[1];
        const memory::desc bias_desc({1, out}, kFloat, memory::format_tag::ab);
        dnnl::primitive_attr attributes;
        if (with_gelu) {
            dnnl::post_ops after;
            after.append_eltwise(1.0f, dnnl::algorithm::eltwise_gelu_erf, 0.0f, 0.0f);
            attributes.set_post_ops(after);
        }
        const dnnl::matmul::desc desc(x.get_desc(), {{in, out}, kFloat, memory::format_tag::any},
                                      bias_desc, y.get_desc());
        const dnnl::matmul::primitive_desc chosen(desc, attributes, engine_);
        steps_.push_back({dnnl::matmul(chosen),
                          {{DNNL_ARG_SRC, x},
                           {DNNL_ARG_WEIGHTS, filled(chosen.weights_desc())},
                           {DNNL_ARG_BIAS, filled(bias_desc)},
                           {DNNL_ARG_DST, y}}});
    }

    // A part of memory as another matrix.
    memory view(memory& of, const memory::desc& desc, memory::dim first) {
        return {desc, engine_, static_cast<float*>(of.get_data_handle()) + first};
    }
    void add_product(const memory& a, const memory& b, const memory& c, float scale) {
        dnnl::primitive_attr attributes;
        attributes.set_output_scales(0, {scale});
        const dnnl::matmul::desc desc(a.get_desc(), b.get_desc(), c.get_desc());
        steps_.push_back({dnnl::matmul({desc, attributes, engine_}),
                          {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}}});
    }

    void add_attention() {
        const memory::dim d = shape_.dims, width = d / shape_.heads, n = shape_.rows;
        const Dims by_row{batch_, shape_.heads, n, width}, by_col{batch_, shape_.heads, width, n};
        const memory::desc rows(by_row, kFloat, Dims{n * 3 * d, width, 3 * d, 1});
        const memory::desc columns(by_col, kFloat, Dims{n * 3 * d, width, 1, 3 * d});
        const memory::desc square({batch_, shape_.heads, n, n}, kFloat, memory::format_tag::abcd);
        if (!scores_) scores_ = filled(square);
        add_product(view(qkv_, rows, 0), view(qkv_, columns, d), scores_,
                    1 / std::sqrt(static_cast<float>(width)));
        const dnnl::softmax_forward::desc softmax(dnnl::prop_kind::forward_inference, square, 3);
        steps_.push_back({dnnl::softmax_forward({softmax, engine_}),
                          {{DNNL_ARG_SRC, scores_}, {DNNL_ARG_DST, scores_}}});
        const memory::desc out(by_row, kFloat, Dims{n * d, width, d, 1});
        add_product(scores_, view(qkv_, rows, 2 * d), view(o_, out, 0), 1);
    }

    // to = norm(a + b)
    void add_norm(memory& a, memory& b, memory& to) {
        const memory::desc desc = a.get_desc();
        const dnnl::sum::primitive_desc sum(desc, {1.0f, 1.0f}, {desc, desc}, engine_);
        steps_.push_back(
            {dnnl::sum(sum),
             {{DNNL_ARG_MULTIPLE_SRC, a}, {DNNL_ARG_MULTIPLE_SRC + 1, b}, {DNNL_ARG_DST, to}}});
        const dnnl::layer_normalization_forward::desc norm(
            dnnl::prop_kind::forward_inference, desc, 1e-5f,
            dnnl::normalization_flags::use_scale_shift);
        const memory::desc gains({2, shape_.dims}, kFloat, memory::format_tag::nc);
        steps_.push_back(
            {dnnl::layer_normalization_forward({norm, engine_}),
             {{DNNL_ARG_SRC, to}, {DNNL_ARG_SCALE_SHIFT, filled(gains)}, {DNNL_ARG_DST, to}}});
    }

    void add_layer() {
        add_linear(x_, qkv_);
        add_attention();
        add_linear(o_, change_);
        add_norm(x_, change_, x1_);
        add_linear(x1_, inner_, true);
        add_linear(inner_, change_);
        add_norm(x1_, change_, x_);
    }

    dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream_{engine_};
    Shape shape_;
    memory::dim rows_, batch_;
    memory x_, x1_, qkv_, o_, change_, inner_, scores_;
    std::vector<Step> steps_;
};

double best_rate(const Shape& shape) {
    double best = 0;
    const bool is_large = shape.dims > 512;
    for (const memory::dim batch : {1, 4, 8, 32}) {
        if (is_large && batch > 4) break;
        Encoder encoder(shape, batch);
        encoder.run();
        const int repeats = is_large ? 2 : 64 / static_cast<int>(batch) + 2;
        for (int i = 0; i < repeats; ++i) {
            const double start = cpu_seconds();
            // The clock ticks in microseconds.
            encoder.run();
            best = std::max(best, static_cast<double>(batch) / (cpu_seconds() - start));
        }
    }
    return best;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 7) {
        std::fprintf(stderr, "usage: dnnl-peer VOCABULARY TOKENS DIMS HEADS MLP LAYERS\n");
        return 2;
    }
    std::array<long, 6> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::atol(arguments[i + 1]);
    if (*std::min_element(sizes.begin(), sizes.end()) < 1 || sizes[2] % sizes[3] != 0) {
        std::fprintf(stderr, "dnnl-peer: sizes must be positive, DIMS a multiple of HEADS\n");
        return 2;
    }
    omp_set_num_threads(1);
    const dnnl_version_t* const version = dnnl_version();
    try {
        const double rate = best_rate({sizes[1] + 1, sizes[2], sizes[3], sizes[4], sizes[5]});
        std::printf("{\"name\": \"oneDNN %d.%d per operation\", \"inference\": %.2f}\n",
                    version->major, version->minor, rate);
    } catch (const dnnl::error& error) {
        std::fprintf(stderr, "dnnl-peer: %s\n", error.what());
        return 1;
    }
    return 0;
}

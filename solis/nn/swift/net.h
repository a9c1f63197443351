// The swift network in float: forward and backward over batches of sparse inputs.
//
//   inputs (both views) -> accumulators -> clipped activation -> linear -> unit vector u
//   without a tail z = u; with one z = unit vector of u + tail(u), a second hidden layer
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/base/thread_pool.h"
#include "solis/nn/tensor.h"

namespace solis::nn {

enum class SwiftActivation : std::uint8_t {
    Squared,  // clamp(x, 0, 1)^2: 2 x accumulators hidden values
    Pairs     // products of two clamped halves: half as many, so a tail twice as fast
};

struct SwiftShape {
    int inputs = 0;          // of one view
    int accumulators = 256;  // per view
    int dims = 64;           // of the embedding
    int buckets = 1;         // output layers, chosen by a number that comes with each sample
    int tail = 0;            // hidden values between linear layer and embedding, 0 for none
    SwiftActivation activation = SwiftActivation::Squared;

    [[nodiscard]] std::size_t hidden() const {
        const auto both = 2 * static_cast<std::size_t>(accumulators);
        return activation == SwiftActivation::Squared ? both : both / 2;
    }
    // Refuses sizes that make no network or that the kernels do not take.
    [[nodiscard]] Result<void> validate() const;
    friend bool operator==(const SwiftShape&, const SwiftShape&) = default;
};

// Samples in order of their bucket. Every view has room for `slots` inputs, so that samples can be
// filled in by several threads.
struct SparseBatch {
    std::size_t slots = 0;
    std::vector<std::uint16_t> inputs;  // [samples][2][slots]: the mover's view, the opponent's
    std::vector<std::uint16_t> counts;  // [samples][2]
    std::vector<std::uint32_t> bucket_ends;  // [buckets]: samples of buckets 0..b end here

    void resize(std::size_t samples, std::size_t slots_per_view) {
        slots = slots_per_view;
        inputs.resize(samples * 2 * slots);
        counts.assign(samples * 2, 0);
    }
    [[nodiscard]] std::size_t size() const { return counts.size() / 2; }
    void add(std::size_t sample, std::size_t view, int input) {
        const std::size_t at = 2 * sample + view;
        inputs[at * slots + counts[at]++] = static_cast<std::uint16_t>(input);
    }
    [[nodiscard]] std::span<const std::uint16_t> view(std::size_t sample, std::size_t which) const {
        const std::size_t at = 2 * sample + which;
        return std::span(inputs).subspan(at * slots, counts[at]);
    }
};

// Parameters, in this order.
struct SwiftWeights {
    Tensor input_weight;   // [inputs][accumulators]
    Tensor input_bias;     // [accumulators]
    Tensor output_weight;  // [buckets][hidden][dims]
    Tensor output_bias;    // [buckets][dims]
    // Where the shape has a tail: tail(u) = square(clamp(u x weight + bias, 0, 1)) x output. The
    // output starts at 0, so that a network which is given a tail is the same function at first.
    Tensor tail_weight;  // [buckets][dims][tail]
    Tensor tail_bias;    // [buckets][tail]
    Tensor tail_output;  // [buckets][tail][dims]
    bool has_tail = false;

    SwiftWeights() = default;  // without values, to be moved in
    explicit SwiftWeights(const SwiftShape& shape);
    // Their names and sizes, in the same order, without the memory.
    [[nodiscard]] static std::vector<TensorSpec> specs(const SwiftShape& shape);
    void randomize(Rng& rng);
    [[nodiscard]] std::vector<Tensor*> tensors();
    [[nodiscard]] std::vector<const Tensor*> tensors() const;
};

// Makes `large`, as randomize() leaves it, the same function as `small`, which has fewer inputs,
// fewer accumulators or no tail: new inputs, which come after those of `small`, have no weight yet,
// new accumulators keep the input weights they have and nothing listens to them yet, and a new tail
// adds nothing yet. False where the networks differ in more than that, or where accumulators are
// added to another activation than the squared one; `large` is then as it was.
bool grow(const SwiftShape& small_shape, const SwiftWeights& small, const SwiftShape& large_shape,
          SwiftWeights& large);

class SwiftNet {
  public:
    explicit SwiftNet(const SwiftShape& shape);

    [[nodiscard]] const SwiftShape& shape() const { return shape_; }
    [[nodiscard]] SwiftWeights& weights() { return weights_; }
    [[nodiscard]] const SwiftWeights& weights() const { return weights_; }
    [[nodiscard]] SwiftWeights& gradients() { return gradients_; }

    // z: batch x dims, rows of length 1. Keeps what backward needs.
    void forward(const SparseBatch& batch, ThreadPool& pool, std::span<float> z);
    // Sets the gradients from those of the last forward's z. The batch must be the same.
    void backward(const SparseBatch& batch, std::span<const float> z, std::span<const float> d_z,
                  ThreadPool& pool);

  private:
    void forward_rows(const SparseBatch& batch, std::size_t begin, std::size_t end,
                      std::span<float> z);
    void backward_rows(const SparseBatch& batch, std::size_t begin, std::size_t end,
                       std::span<const float> z, std::span<const float> d_z);
    // The tail of rows [from, to), which are all of one bucket.
    void forward_tail(std::size_t bucket, std::size_t from, std::size_t to, std::span<float> z);
    void backward_tail(std::size_t bucket, std::size_t from, std::size_t to);
    void backward_tail_weights(const SparseBatch& batch);
    void backward_output_slice(const SparseBatch& batch, std::size_t slice);
    void backward_input_slice(std::size_t slice);
    // Who uses each input: turns the scattering of gradients into sums of rows.
    void index_users(const SparseBatch& batch);
    // Calls part(bucket, begin, end) for the buckets that rows [begin, end) fall into.
    template <class Part>
    void for_each_bucket(const SparseBatch& batch, std::size_t begin, std::size_t end,
                         Part&& part) const;

    SwiftShape shape_;
    SwiftWeights weights_;
    SwiftWeights gradients_;
    std::vector<float> clamped_;   // [batch][2][accumulators]
    std::vector<float> hidden_;    // [batch][hidden]
    std::vector<float> norms_;     // [batch]: length of the output before it was normalised
    std::vector<float> d_output_;  // [batch][dims]
    // Of the tail, empty without one.
    std::vector<float> units_;              // [batch][dims]: u
    std::vector<float> tail_clamped_;       // [batch][tail]
    std::vector<float> tail_hidden_;        // [batch][tail]
    std::vector<float> tail_norms_;         // [batch]: length of u + tail(u)
    std::vector<float> d_tail_;             // [batch][dims], of tail(u)
    std::vector<float> d_units_;            // [batch][dims]
    std::vector<float> d_tail_hidden_;      // [batch][tail]
    std::vector<float> d_tail_sums_;        // [batch][tail]
    std::vector<float> d_hidden_;           // [batch][hidden]
    std::vector<float> d_sums_;             // [batch][2][accumulators + padding]
    std::vector<std::uint32_t> user_ends_;  // [inputs]: users of inputs 0..i end here in users_
    std::vector<std::uint32_t> users_;      // rows of d_sums_ by input, each input's in order
};

}  // namespace solis::nn

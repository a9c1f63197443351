// The processes that share one training run, as the trainer sees them.
#pragma once
#include <cstddef>
#include <span>

namespace solis::train {

// Every call but rank(), size() and abort() must be made by all processes, in the same order.
class Communicator {
  public:
    virtual ~Communicator() = default;

    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    // `values` is made of one part per process, in their order; ends[r] is where part r ends. A
    // process brings its own part and gets the others'.
    virtual void gather(std::span<float> values, std::span<const std::size_t> ends) = 0;
    // Replaces the values by their sum over all processes: the same bits in each.
    virtual void sum(std::span<float> values) = 0;
    // Whether any process says yes.
    [[nodiscard]] virtual bool any(bool here) = 0;
    // Ends all other processes: this one failed, and they would wait for it for ever.
    virtual void abort() = 0;
};

// What a run has unless it was started by mpirun.
class SingleProcess final : public Communicator {
  public:
    [[nodiscard]] std::size_t rank() const override { return 0; }
    [[nodiscard]] std::size_t size() const override { return 1; }
    void gather(std::span<float>, std::span<const std::size_t>) override {}
    void sum(std::span<float>) override {}
    [[nodiscard]] bool any(bool here) override { return here; }
    void abort() override {}
};

}  // namespace solis::train

// The processes that mpirun started. A module of its own, see train/processes.h.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include "solis/train/communicator.h"

namespace solis::train {
namespace {

// Errors inside MPI end all processes with MPI's own message: its default, kept.
class MpiCommunicator final : public Communicator {
  public:
    MpiCommunicator() {
        // Open MPI waits in a busy loop, which takes the cores from processes that still work. Who
        // has cores to spare may set it to 0.
        ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
        // Only the thread that trains speaks to the others.
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    }
    ~MpiCommunicator() override { MPI_Finalize(); }

    std::size_t rank() const override {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return static_cast<std::size_t>(rank);
    }
    std::size_t size() const override {
        int size = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        return static_cast<std::size_t>(size);
    }

    void gather(std::span<float> values, std::span<const std::size_t> ends) override {
        std::vector<int> counts, starts;
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            starts.push_back(static_cast<int>(begin));
            counts.push_back(static_cast<int>(end - begin));
            begin = end;
        }
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_FLOAT, values.data(), counts.data(), starts.data(),
                       MPI_FLOAT, MPI_COMM_WORLD);
    }

    // To one process and back, because MPI promises the same bits everywhere only then.
    void sum(std::span<float> values) override {
        constexpr std::size_t kMost = INT_MAX;
        for (std::size_t at = 0; at < values.size(); at += kMost) {
            const auto count = static_cast<int>(std::min(kMost, values.size() - at));
            float* const part = values.data() + at;
            if (rank() == 0) {
                MPI_Reduce(MPI_IN_PLACE, part, count, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
            } else {
                MPI_Reduce(part, nullptr, count, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
            }
            MPI_Bcast(part, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
        }
    }

    bool any(bool here) override {
        int value = here ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        return value != 0;
    }

    void abort() override { MPI_Abort(MPI_COMM_WORLD, 1); }
};

}  // namespace
}  // namespace solis::train

extern "C" solis::train::Communicator* solis_make_communicator() {
    return new solis::train::MpiCommunicator();
}

// Whatever an encoder process answers is read without harm: its first line, the lines before
// vectors and the vectors, which are refused or of length 1. Commands are split into words or
// refused.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "solis/model/custom_encoder.h"
#include "solis/model/process/protocol.h"

namespace model = solis::model;

namespace {

std::string_view take_line(std::string_view& rest) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    return line;
}

void check_vectors(std::string_view bytes, std::size_t dims) {
    std::vector<float> z(bytes.size() / 4 / dims * dims);
    model::read_vectors(std::span(bytes.data(), 4 * z.size()), z);
    if (!model::normalise_rows(z, dims)) return;
    for (std::size_t row = 0; row < z.size() / dims; ++row) {
        double squares = 0;
        for (const float value : std::span(z).subspan(row * dims, dims)) {
            squares += static_cast<double>(value) * static_cast<double>(value);
        }
        if (!(std::abs(squares - 1) < 1e-4)) std::abort();
    }
}

}  // namespace

int encoder_reply_fuzz(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const std::string_view first = take_line(rest);
    if (const auto words = model::command_words(first); words && words->empty()) std::abort();
    std::size_t dims = 8;
    if (const auto hello = model::parse_hello(first)) {
        if (hello->dims < 1 || hello->dims > model::EncoderHello::kMaxDims) std::abort();
        if (hello->batch < 1 || hello->name.empty()) std::abort();
        dims = hello->dims;
    }
    (void)model::check_reply(take_line(rest), 2, dims);
    check_vectors(rest, dims);
    return 0;
}

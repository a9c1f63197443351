// Metadata of encoders that run as processes.
#include "solis/model/process_encoder.h"

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/model/process/protocol.h"
#include "solis/model/tensor_access.h"

namespace solis::model {
namespace {

const std::string kDimsKey = "solis.process.dims", kNameKey = "solis.process.name";

}  // namespace

void add_process_encoder(const ProcessEncoder& encoder, nn::TensorFile& file) {
    file.metadata[kDimsKey] = fmt::format("{}", encoder.dims);
    file.metadata[kNameKey] = encoder.name;
}

Result<ProcessEncoder> take_process_encoder(nn::TensorFile& file) {
    const auto dims = require_number(file, kDimsKey);
    if (!dims) return tl::unexpected(dims.error());
    auto name = require_text(file, kNameKey);
    if (!name) return tl::unexpected(name.error());
    if (*dims < 1 || static_cast<std::size_t>(*dims) > EncoderHello::kMaxDims) {
        return fail(fmt::format("metadata '{}' is {}, expected 1 to {}", kDimsKey, *dims,
                                EncoderHello::kMaxDims));
    }
    return ProcessEncoder{static_cast<std::size_t>(*dims), printable(*name, 100)};
}

}  // namespace solis::model

// Model files: any bytes, and a valid file with arbitrary changes, either are refused or load to a
// model that survives a round trip and whose scores are finite.
//
// The first byte chooses: 'r' for raw bytes, 't' for a changed transformer, 'e' for a changed swift
// model with endings, any other for one without. For a changed file each line is one change:
// "key=value" sets metadata, "name:index:bits" sets a value of a tensor, "-name" removes a tensor.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "solis/model/model_file.h"

namespace model = solis::model;
namespace nn = solis::nn;

namespace {

// With an axis and a calibration.
nn::TensorFile complete(model::ModelFile file) {
    std::vector<float> white(file.dims()), black(file.dims());
    white[0] = 0.5f, black[0] = -0.5f;
    file.axis = *model::axis_from_means(white, black);
    file.calibration = *model::Calibration::from_knots({-0.5f, 0, 0.5f}, {0, 0.5f, 1});
    return model::to_tensors(file);
}

nn::TensorFile valid_swift() {
    nn::SwiftShape shape;
    shape.accumulators = 64;
    shape.dims = 8;
    model::ModelFile file(model::SwiftEncoder(solis::data::SwiftFeatureSet::Pieces, shape));
    return complete(std::move(file));
}

nn::TensorFile valid_with_endings() {
    model::ModelFile file = *model::from_tensors(valid_swift());
    if (!model::attach_endings(file, *model::from_tensors(valid_swift()))) std::abort();
    return model::to_tensors(file);
}

nn::TensorFile valid_transformer() {
    nn::TransformerShape shape;
    shape.vocabulary = 31;
    shape.dims = 16;
    shape.heads = 1;
    shape.mlp = 16;
    shape.layers = 1;
    return complete(
        model::ModelFile(model::TransformerEncoder(solis::data::Tokenizer::Deepmind, shape)));
}

void set_value(nn::TensorFile& file, std::string_view name, std::string_view rest) {
    std::uint32_t index = 0, bits = 0;
    const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (status != std::errc{} || end == rest.data() + rest.size()) return;
    (void)std::from_chars(end + 1, rest.data() + rest.size(), bits, 16);
    for (nn::Tensor& tensor : file.tensors) {
        if (tensor.name != name || tensor.values.empty()) continue;
        std::memcpy(&tensor.values[index % tensor.values.size()], &bits, sizeof bits);
    }
}

void change(nn::TensorFile& file, std::string_view line) {
    if (line.starts_with("-")) {
        std::erase_if(file.tensors,
                      [&](const nn::Tensor& tensor) { return tensor.name == line.substr(1); });
    } else if (const auto equals = line.find('='); equals != std::string_view::npos) {
        file.metadata[std::string(line.substr(0, equals))] = line.substr(equals + 1);
    } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
        set_value(file, line.substr(0, colon), line.substr(colon + 1));
    }
}

void check(const model::ModelFile& loaded) {
    const auto again = model::from_tensors(model::to_tensors(loaded));
    if (!again || again->axis != loaded.axis || again->calibration != loaded.calibration ||
        again->provenance != loaded.provenance ||
        (again->endings == nullptr) != (loaded.endings == nullptr)) {
        std::abort();
    }
    if (loaded.endings != nullptr && !loaded.endings->check_can_score()) std::abort();
    if (!loaded.check_can_score()) return;
    const double score = loaded.axis->score(loaded.axis->mu_white);
    const double p = loaded.calibration->win_probability(score);
    if (!(p >= 0 && p <= 1) || !std::isfinite(loaded.calibration->draw_score())) std::abort();
}

}  // namespace

int model_file_fuzz(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.empty()) return 0;
    const char kind = bytes[0];
    bytes.remove_prefix(1);
    if (kind == 'r') {
        if (const auto loaded = model::parse_model(bytes)) check(*loaded);
        return 0;
    }
    static const nn::TensorFile kSwift = valid_swift(), kTransformer = valid_transformer(),
                                kEndings = valid_with_endings();
    nn::TensorFile file = kind == 't' ? kTransformer : kind == 'e' ? kEndings : kSwift;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        change(file, bytes.substr(0, end));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    if (const auto loaded = model::from_tensors(std::move(file))) check(*loaded);
    return 0;
}

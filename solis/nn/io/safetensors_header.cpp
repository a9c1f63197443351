// Reads the header event by event: no recursion, so that nesting cannot exhaust the stack, and
// duplicate keys are seen (a JSON tree would silently keep one of them).
#include "solis/nn/io/safetensors_header.h"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/text.h"

namespace solis::nn {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kMaxDimensions = 8;
constexpr std::size_t kMaxNameLength = 1000;

class HeaderReader final : public nlohmann::json_sax<Json> {
  public:
    SafetensorsHeader header;
    std::string error;

    bool null() override { return refuse_value("null"); }
    bool boolean(bool) override { return refuse_value("a boolean"); }
    bool number_integer(number_integer_t) override { return refuse_value("a negative number"); }
    bool number_float(number_float_t, const string_t&) override {
        return refuse_value("a number that is not a 64-bit integer");
    }
    bool binary(binary_t&) override { return refuse_value("binary data"); }

    bool number_unsigned(number_unsigned_t value) override {
        if (inside_ != Inside::List) return refuse_value("a number");
        if (list_.size() == kMaxDimensions) {
            return refuse(fmt::format("tensor {}: '{}' has more than {} numbers",
                                      in_quotes(entry_.name), key_, kMaxDimensions));
        }
        list_.push_back(value);
        return true;
    }
    bool string(string_t& value) override {
        if (inside_ == Inside::Metadata) {
            if (header.metadata.emplace(key_, std::move(value)).second) return true;
            return refuse(fmt::format("metadata has {} twice", in_quotes(key_)));
        }
        if (inside_ != Inside::Tensor || key_ != "dtype") return refuse_value("a string");
        entry_.dtype = std::move(value);
        return true;
    }
    bool start_array(std::size_t) override {
        if (inside_ != Inside::Tensor || key_ == "dtype") return refuse_value("a list");
        inside_ = Inside::List;
        list_.clear();
        return true;
    }
    bool end_array() override {
        inside_ = Inside::Tensor;
        if (key_ == "shape") {
            entry_.shape = list_;
            return true;
        }
        if (list_.size() != 2) {
            return refuse(fmt::format("tensor {}: 'data_offsets' has {} numbers, expected 2",
                                      in_quotes(entry_.name), list_.size()));
        }
        entry_.begin = list_[0];
        entry_.end = list_[1];
        return true;
    }
    bool start_object(std::size_t) override {
        if (inside_ == Inside::Nothing) {
            inside_ = Inside::File;
            return true;
        }
        if (inside_ != Inside::File) return refuse_value("an object");
        inside_ = key_ == kMetadata ? Inside::Metadata : Inside::Tensor;
        entry_ = {};
        entry_.name = key_;
        fields_.clear();
        return true;
    }
    bool key(string_t& name) override {
        if (name.size() > kMaxNameLength) {
            return refuse(fmt::format("a name has {} bytes, expected at most {}: {}", name.size(),
                                      kMaxNameLength, in_quotes(name)));
        }
        key_ = std::move(name);
        if (inside_ == Inside::File && !names_.insert(key_).second) {
            return refuse(fmt::format("{} appears twice", in_quotes(key_)));
        }
        return inside_ == Inside::Tensor ? tensor_field() : true;
    }
    bool end_object() override {
        if (inside_ == Inside::File) {
            inside_ = Inside::Nothing;
            return true;
        }
        const bool is_tensor = inside_ == Inside::Tensor;
        inside_ = Inside::File;
        if (!is_tensor) return true;
        for (const char* field : {"dtype", "shape", "data_offsets"}) {
            if (fields_.count(field) == 0) {
                return refuse(fmt::format("tensor {} has no '{}'", in_quotes(entry_.name), field));
            }
        }
        header.entries.push_back(std::move(entry_));
        return true;
    }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception&) override {
        return refuse(fmt::format("not JSON at byte {}", position));
    }

  private:
    enum class Inside { Nothing, File, Metadata, Tensor, List };

    bool tensor_field() {
        if (key_ != "dtype" && key_ != "shape" && key_ != "data_offsets") {
            return refuse(fmt::format("tensor {} has unknown field {}", in_quotes(entry_.name),
                                      in_quotes(key_)));
        }
        if (fields_.insert(key_).second) return true;
        return refuse(fmt::format("tensor {} has '{}' twice", in_quotes(entry_.name), key_));
    }
    bool refuse_value(std::string_view what) {
        switch (inside_) {
            case Inside::Nothing:
                return refuse(fmt::format("{} where the header object was expected", what));
            case Inside::File:
                return refuse(fmt::format("{} is {}, expected an object", in_quotes(key_), what));
            case Inside::Metadata:
                return refuse(
                    fmt::format("metadata {} is {}, expected a string", in_quotes(key_), what));
            case Inside::Tensor:
                return refuse(fmt::format("tensor {}: '{}' is {}, expected a {}",
                                          in_quotes(entry_.name), key_, what,
                                          key_ == "dtype" ? "string" : "list of sizes"));
            case Inside::List:
                return refuse(fmt::format("tensor {}: '{}' contains {}, expected sizes",
                                          in_quotes(entry_.name), key_, what));
        }
        return false;
    }
    bool refuse(std::string reason) {
        error = std::move(reason);
        return false;
    }

    Inside inside_ = Inside::Nothing;
    std::string key_;
    SafetensorsEntry entry_;
    std::set<std::string> fields_;  // of the current tensor
    std::set<std::string> names_;   // of the file
    std::vector<std::size_t> list_;
};

}  // namespace

Result<SafetensorsHeader> parse_safetensors_header(std::string_view json) {
    HeaderReader reader;
    if (!Json::sax_parse(json, &reader)) {
        return fail(fmt::format("safetensors header: {}", reader.error),
                    "the file is damaged or is not a safetensors file");
    }
    return std::move(reader.header);
}

std::string to_json(const SafetensorsHeader& header) {
    auto json = nlohmann::ordered_json::object();
    if (!header.metadata.empty()) json[std::string(kMetadata)] = header.metadata;
    for (const SafetensorsEntry& entry : header.entries) {
        json[entry.name] = {{"dtype", entry.dtype},
                            {"shape", entry.shape},
                            {"data_offsets", {entry.begin, entry.end}}};
    }
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace solis::nn

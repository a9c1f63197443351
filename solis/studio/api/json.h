// What every call of the API shares: JSON in and out, and errors that name the field.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "solis/studio/http/message.h"

namespace solis::studio {

using Json = nlohmann::ordered_json;

struct ApiError {
    int status = 422;
    std::string message{};
    std::string hint{};
    std::string field{};  // of the request, for example "moves[3]"; may be empty
};

template <class T>
using Answer = tl::expected<T, ApiError>;

[[nodiscard]] tl::unexpected<ApiError> refuse(int status, std::string message,
                                              std::string hint = {}, std::string field = {});
// A failure of the library, on that field of the request.
[[nodiscard]] tl::unexpected<ApiError> refuse(const Error& error, std::string field = {});

[[nodiscard]] Json error_json(const ApiError& error);
// Text that is no UTF-8 is repaired.
[[nodiscard]] std::string json_text(const Json& value);
[[nodiscard]] HttpResponse json_response(const Json& value, int status = 200);
[[nodiscard]] HttpResponse error_response(const ApiError& error);

// The body as a JSON object, at most 32 levels deep.
[[nodiscard]] Answer<Json> parse_api_body(std::string_view body);

// Reads the fields of a JSON object. The first thing that is wrong is kept, and every call after it
// gives the default: so a request is read as a whole and asked once whether it was right.
class Fields {
  public:
    // The object must outlive it. `path` is what its fields are called in errors.
    explicit Fields(const Json& object, std::string path = {});

    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name, std::string fallback,
                                   std::size_t most_bytes = 256);
    [[nodiscard]] bool flag(std::string_view name, bool fallback);
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name, std::int64_t low,
                                                    std::int64_t high);
    [[nodiscard]] std::vector<std::string> texts(std::string_view name, std::size_t most,
                                                 std::size_t most_bytes = 256);
    [[nodiscard]] std::vector<std::int64_t> wholes(std::string_view name, std::size_t most,
                                                   std::int64_t low, std::int64_t high);
    // An object inside; null where it is not there.
    [[nodiscard]] const Json* object(std::string_view name);

    void refuse(ApiError error);
    // "limits.depth".
    [[nodiscard]] std::string path_of(std::string_view name) const;
    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    // What was wrong first, fields that nobody asked for included.
    [[nodiscard]] std::optional<ApiError> finish();

  private:
    [[nodiscard]] const Json* find(std::string_view name);
    void wrong_type(std::string_view name, std::string_view wanted);

    const Json& object_;
    std::string path_;
    std::set<std::string, std::less<>> known_;
    std::optional<ApiError> error_;
};

}  // namespace solis::studio

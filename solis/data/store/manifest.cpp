// Manifest <-> JSON.
#include "solis/data/store/manifest.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace solis::data {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
void add_if_new(std::vector<T>& list, const T& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

Json to_json(const StoreSummary& s) {
    return {{"games", s.games},
            {"line_positions", s.line_positions},
            {"branch_positions", s.branch_positions},
            {"labelled", s.labelled},
            {"second_looks", s.second_looks},
            {"mates", s.mates},
            {"content_hash", fmt::format("{:016x}", s.content_hash)},
            {"white_p", s.white_p}};
}

StoreSummary summary_from(const Json& json) {
    StoreSummary s;
    s.games = json.value("games", s.games);
    s.line_positions = json.value("line_positions", s.line_positions);
    s.branch_positions = json.value("branch_positions", s.branch_positions);
    s.labelled = json.value("labelled", s.labelled);
    s.second_looks = json.value("second_looks", s.second_looks);
    s.mates = json.value("mates", s.mates);
    s.content_hash = std::stoull(json.value("content_hash", "0"), nullptr, 16);
    if (json.contains("white_p")) s.white_p = json.at("white_p").get<decltype(s.white_p)>();
    return s;
}

Manifest manifest_from(const Json& json) {
    Manifest manifest;
    for (const Json& item : json.value("sources", Json::array())) {
        manifest.sources.push_back({item.value("name", ""), item.value("format", ""),
                                    item.value("games", std::uint64_t{0}),
                                    item.value("bad_rows", std::uint64_t{0})});
    }
    for (const Json& item : json.value("labellers", Json::array())) {
        manifest.labellers.push_back({item.value("engine", ""), item.value("limit", "")});
    }
    manifest.split = json.value("split", "");
    manifest.note = json.value("note", "");
    manifest.provisional_from = json.value("provisional_from", std::uint64_t{0});
    if (json.contains("summary")) manifest.summary = summary_from(json.at("summary"));
    return manifest;
}

}  // namespace

void Manifest::add_origin(const Manifest& other) {
    for (const DataSource& source : other.sources) add_if_new(sources, source);
    for (const LabellerInfo& labeller : other.labellers) add_if_new(labellers, labeller);
    if (note.empty()) note = other.note;
}

std::string to_json_text(const Manifest& manifest) {
    Json json{{"sources", Json::array()}, {"labellers", Json::array()}};
    for (const DataSource& s : manifest.sources) {
        json["sources"].push_back(
            {{"name", s.name}, {"format", s.format}, {"games", s.games}, {"bad_rows", s.bad_rows}});
    }
    for (const LabellerInfo& l : manifest.labellers) {
        json["labellers"].push_back({{"engine", l.engine}, {"limit", l.limit}});
    }
    json["split"] = manifest.split;
    json["note"] = manifest.note;
    if (manifest.provisional_from != 0) json["provisional_from"] = manifest.provisional_from;
    json["summary"] = to_json(manifest.summary);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Manifest> parse_manifest(std::string_view text) {
    try {
        return manifest_from(Json::parse(text));
    } catch (const std::exception& error) {
        return fail(fmt::format("the manifest cannot be read: {}", error.what()));
    }
}

}  // namespace solis::data

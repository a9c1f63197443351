// The one place that talks to Fathom.
#include "solis/chess/tablebase.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <tbprobe.h>

#include "solis/chess/movegen.h"

namespace solis::chess {
namespace {

namespace fs = std::filesystem;

// Fathom's tables are global variables of the library; these guard them.
std::atomic<bool> library_in_use = false;
std::mutex root_probe_mutex;

Result<std::vector<fs::path>> split_folders(const std::string& path) {
    std::vector<fs::path> folders;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const fs::path folder = path.substr(begin, end - begin);
        begin = end + 1;
        if (folder.empty()) continue;
        std::error_code error;
        if (!fs::is_directory(folder, error)) {
            return fail(fmt::format("tablebase folder '{}' does not exist or is no folder",
                                    folder.string()));
        }
        folders.push_back(folder);
    }
    if (folders.empty()) return fail("no tablebase folder given");
    return folders;
}

// Fathom maps a table at its first use and reads it without looking where it ends, so what is not
// a table must not get that far.
Result<void> check_table(const fs::path& file) {
    constexpr std::array<unsigned char, 4> kWdlMagic{0x71, 0xE8, 0x23, 0x5D};
    constexpr std::array<unsigned char, 4> kDtzMagic{0xD7, 0x66, 0x0C, 0xA5};
    const auto& magic = file.extension() == ".rtbw" ? kWdlMagic : kDtzMagic;
    std::ifstream stream(file, std::ios::binary);
    std::array<char, 4> head{};
    stream.read(head.data(), head.size());
    const bool starts_right =
        stream && std::equal(head.begin(), head.end(), magic.begin(), [](char a, unsigned char b) {
            return static_cast<unsigned char>(a) == b;
        });
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    // 64-byte blocks and a checksum of 16 bytes.
    const bool has_right_size = !error && size >= 80 && size % 64 == 16;
    if (starts_right && has_right_size) return {};
    return fail(fmt::format("'{}' is not a complete Syzygy table", file.string()),
                "remove it or download it again");
}

// Number of files found.
Result<int> check_folder(const fs::path& folder) {
    int tables = 0;
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
        const fs::path file = entries->path();
        if (file.extension() != ".rtbw" && file.extension() != ".rtbz") continue;
        if (auto ok = check_table(file); !ok) return tl::unexpected(ok.error());
        ++tables;
    }
    if (error) return fail(fmt::format("folder '{}': {}", folder.string(), error.message()));
    return tables;
}

bool may_probe(const Position& position) {
    return position.castling_rooks() == 0 &&
           static_cast<unsigned>(count(position.pieces())) <= TB_LARGEST;
}

// Fathom's "none" is square 0, which is no en-passant square.
unsigned en_passant_number(const Position& position) {
    const Square s = position.en_passant();
    return s == Square::None ? 0u : static_cast<unsigned>(index(s));
}

Wdl wdl_from(unsigned fathom) { return static_cast<Wdl>(static_cast<int>(fathom) - TB_DRAW); }

Move find_move(const MoveList& legal, unsigned result) {
    constexpr std::array kPromotions{PieceType::None, PieceType::Queen, PieceType::Rook,
                                     PieceType::Bishop, PieceType::Knight};
    const Square from = square_at(static_cast<int>(TB_GET_FROM(result)));
    const Square to = square_at(static_cast<int>(TB_GET_TO(result)));
    const unsigned promoted = TB_GET_PROMOTES(result);
    if (promoted >= kPromotions.size()) return Move();
    const PieceType promotion = kPromotions[promoted];
    for (const Move move : legal) {
        if (move.from() == from && move.to() == to && move.promotion_piece() == promotion) {
            return move;
        }
    }
    return Move();
}

// A quick win and a slow loss come first; a zero-ply draw has no order.
bool is_better(const TablebaseMove& a, const TablebaseMove& b) {
    if (a.wdl != b.wdl) return a.wdl > b.wdl;
    return a.wdl > Wdl::Draw ? a.dtz < b.dtz : a.dtz > b.dtz;
}

}  // namespace

Result<Tablebase> Tablebase::open(const std::string& path) {
    const auto folders = split_folders(path);
    if (!folders) return tl::unexpected(folders.error());
    int tables = 0;
    for (const fs::path& folder : *folders) {
        const auto found = check_folder(folder);
        if (!found) return tl::unexpected(found.error());
        tables += *found;
    }
    if (tables == 0) {
        return fail(fmt::format("no Syzygy tables (*.rtbw, *.rtbz) in '{}'", path));
    }
    if (library_in_use.exchange(true)) return fail("another tablebase is open already");
    Tablebase tablebase;  // from here on its destructor frees the library for others
    if (!tb_init(path.c_str()) || TB_LARGEST == 0) {
        return fail(fmt::format("cannot load the Syzygy tables in '{}'", path));
    }
    return tablebase;
}

Tablebase::Tablebase(Tablebase&& other) noexcept : open_(std::exchange(other.open_, false)) {}

Tablebase& Tablebase::operator=(Tablebase&& other) noexcept {
    if (this == &other) return *this;
    close();
    open_ = std::exchange(other.open_, false);
    return *this;
}

Tablebase::~Tablebase() { close(); }

void Tablebase::close() {
    if (!open_) return;
    // The tables stay mapped until the next open or the end of the program. tb_free() would leave
    // Fathom 1.0 with pointers to freed memory, so that it could never be opened again, and its
    // unmapping reports every success as an error on stderr.
    open_ = false;
    library_in_use = false;
}

int Tablebase::largest() const { return static_cast<int>(TB_LARGEST); }

std::optional<Wdl> Tablebase::probe_wdl(const Position& position) const {
    if (!may_probe(position) || position.halfmove_clock() != 0) return std::nullopt;
    const unsigned result =
        tb_probe_wdl(position.pieces(Color::White), position.pieces(Color::Black),
                     position.pieces(PieceType::King), position.pieces(PieceType::Queen),
                     position.pieces(PieceType::Rook), position.pieces(PieceType::Bishop),
                     position.pieces(PieceType::Knight), position.pieces(PieceType::Pawn), 0, 0,
                     en_passant_number(position), position.side_to_move() == Color::White);
    if (result == TB_RESULT_FAILED) return std::nullopt;
    return wdl_from(result);
}

std::vector<TablebaseMove> Tablebase::probe_root(const Position& position) const {
    std::vector<TablebaseMove> moves;
    if (!may_probe(position)) return moves;
    std::array<unsigned, TB_MAX_MOVES> results{};
    unsigned best = TB_RESULT_FAILED;
    {
        const std::lock_guard lock(root_probe_mutex);
        best = tb_probe_root(position.pieces(Color::White), position.pieces(Color::Black),
                             position.pieces(PieceType::King), position.pieces(PieceType::Queen),
                             position.pieces(PieceType::Rook), position.pieces(PieceType::Bishop),
                             position.pieces(PieceType::Knight), position.pieces(PieceType::Pawn),
                             static_cast<unsigned>(position.halfmove_clock()), 0,
                             en_passant_number(position), position.side_to_move() == Color::White,
                             results.data());
    }
    const MoveList legal = legal_moves(position);
    if (best == TB_RESULT_FAILED || legal.empty()) return moves;
    for (const unsigned result : results) {
        if (result == TB_RESULT_FAILED) break;
        const Move move = find_move(legal, result);
        if (move.is_none()) return {};
        moves.push_back({move, wdl_from(TB_GET_WDL(result)), static_cast<int>(TB_GET_DTZ(result))});
    }
    std::stable_sort(moves.begin(), moves.end(), is_better);
    return moves;
}

}  // namespace solis::chess

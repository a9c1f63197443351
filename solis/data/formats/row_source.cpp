// Rows to games, on the caller's thread or on several.
#include "solis/data/formats/row_source.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "solis/base/start_thread.h"

namespace solis::data {
namespace {

constexpr std::size_t kBatchRows = 1024;
constexpr std::size_t kBatchBytes = std::size_t{1} << 18;

// Rows as read, and what became of them.
struct Batch {
    std::string bytes;
    std::vector<std::size_t> ends;  // of each row in `bytes`
    std::uint64_t first_row = 0;    // number of the first row, from 1
    bool is_last = false;
    std::optional<Error> failure;  // of the input after the last row

    std::vector<LabelledGame> games;
    ImportReport report;
};

class BatchReader {
  public:
    explicit BatchReader(std::unique_ptr<RowReader> rows) : rows_(std::move(rows)) {}

    [[nodiscard]] Batch read() {
        Batch batch;
        batch.first_row = row_number_ + 1;
        while (batch.ends.size() < kBatchRows && batch.bytes.size() < kBatchBytes) {
            std::string_view row;
            const auto more = rows_->next(row);
            if (!more) batch.failure = more.error();
            batch.is_last = !more || !*more;
            if (batch.is_last) break;
            ++row_number_;
            batch.bytes += row;
            batch.ends.push_back(batch.bytes.size());
        }
        return batch;
    }
    [[nodiscard]] std::string_view unit() const { return rows_->unit(); }

  private:
    std::unique_ptr<RowReader> rows_;
    std::uint64_t row_number_ = 0;
};

void reset(LabelledGame& game) {
    game.line.clear();
    game.branches.clear();
    game.result = GameResult::Unknown;
}

void parse_batch(Batch& batch, const ParseRow& parse, std::string_view where) {
    LabelledGame game;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < batch.ends.size(); ++i) {
        const auto row = std::string_view(batch.bytes).substr(begin, batch.ends[i] - begin);
        begin = batch.ends[i];
        reset(game);
        const auto is_game = parse(row, game);
        if (is_game && !*is_game) continue;
        ++batch.report.rows;
        if (is_game) {
            batch.games.push_back(std::move(game));
        } else {
            batch.report.add_bad_row(fmt::format("{} {}", where, batch.first_row + i),
                                     is_game.error());
        }
    }
}

// Workers take batches of rows in turn, parse them side by side and leave them to be taken in
// the order of the input.
class BatchPool {
  public:
    BatchPool(BatchReader& reader, const MakeParser& make_parser, std::string where, int threads)
        : reader_(reader),
          where_(std::move(where)),
          most_waiting_(static_cast<std::size_t>(2 * threads)) {
        for (int i = 0; i < threads; ++i) {
            const bool started =
                start_thread(workers_, [this, parse = make_parser()] { work(parse); });
            if (started) continue;
            if (workers_.empty()) throw std::bad_alloc();
            break;
        }
    }
    ~BatchPool() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        room_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    [[nodiscard]] Batch next() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return !done_.empty() && done_.begin()->first == next_taken_; });
        Batch batch = std::move(done_.begin()->second);
        done_.erase(done_.begin());
        ++next_taken_;
        lock.unlock();
        room_.notify_all();
        return batch;
    }

  private:
    void work(const ParseRow& parse) {
        for (;;) {
            std::unique_lock lock(mutex_);
            room_.wait(lock, [&] {
                return stopped_ || (!reading_ && next_read_ - next_taken_ < most_waiting_);
            });
            if (stopped_) return;
            reading_ = true;
            const std::uint64_t number = next_read_++;
            lock.unlock();
            Batch batch = reader_.read();
            lock.lock();
            reading_ = false;
            stopped_ = stopped_ || batch.is_last;
            lock.unlock();
            room_.notify_all();
            parse_batch(batch, parse, where_);
            lock.lock();
            done_.emplace(number, std::move(batch));
            lock.unlock();
            ready_.notify_one();
        }
    }

    BatchReader& reader_;
    const std::string where_;
    const std::size_t most_waiting_;
    std::mutex mutex_;
    std::condition_variable room_, ready_;
    std::map<std::uint64_t, Batch> done_;
    std::uint64_t next_read_ = 0, next_taken_ = 0;
    bool reading_ = false;  // a worker is inside the reader
    bool stopped_ = false;  // nothing more to read
    std::vector<std::thread> workers_;
};

class RowSource final : public GameSource {
  public:
    RowSource(std::string name, RowFormat format, int threads)
        : reader_(std::move(format.reader)), where_(fmt::format("{} {}", name, reader_.unit())) {
        if (threads > 1) {
            pool_.emplace(reader_, format.make_parser, where_, threads);
        } else {
            parse_ = format.make_parser();
        }
    }

    Result<bool> next(LabelledGame& game) override {
        while (given_ == batch_.games.size()) {
            if (batch_.failure) return tl::unexpected(*batch_.failure);
            if (batch_.is_last) return false;
            fetch();
        }
        game = std::move(batch_.games[given_++]);
        return true;
    }
    const ImportReport& report() const override { return report_; }

  private:
    void fetch() {
        if (pool_) {
            batch_ = pool_->next();
        } else {
            batch_ = reader_.read();
            parse_batch(batch_, parse_, where_);
        }
        given_ = 0;
        report_.add(batch_.report);
    }

    BatchReader reader_;
    std::string where_;
    ParseRow parse_;
    std::optional<BatchPool> pool_;
    Batch batch_;
    std::size_t given_ = 0;
    ImportReport report_;
};

class LineRows final : public RowReader {
  public:
    explicit LineRows(std::unique_ptr<ByteSource> source)
        : source_(std::move(source)), lines_(*source_) {}

    Result<bool> next(std::string_view& row) override { return lines_.next(row); }
    std::string_view unit() const override { return "line"; }

  private:
    std::unique_ptr<ByteSource> source_;
    LineReader lines_;
};

class RecordRows final : public RowReader {
  public:
    RecordRows(std::unique_ptr<ByteSource> source, std::size_t size)
        : source_(std::move(source)), size_(size), buffer_(size * kBatchRows, '\0') {}

    Result<bool> next(std::string_view& row) override {
        if (begin_ == end_) {
            if (auto filled = refill(); !filled) return tl::unexpected(filled.error());
        }
        row = std::string_view(buffer_).substr(begin_, std::min(size_, end_ - begin_));
        begin_ += row.size();
        return !row.empty();
    }
    std::string_view unit() const override { return "record"; }

  private:
    // Whole records, except at the end of the input.
    Result<void> refill() {
        begin_ = end_ = 0;
        while (end_ < buffer_.size()) {
            const auto got = source_->read(std::span(buffer_).subspan(end_));
            if (!got) return tl::unexpected(got.error());
            if (*got == 0) break;
            end_ += *got;
        }
        return {};
    }

    std::unique_ptr<ByteSource> source_;
    std::size_t size_;
    std::string buffer_;
    std::size_t begin_ = 0, end_ = 0;
};

}  // namespace

std::unique_ptr<GameSource> make_row_source(std::string name, RowFormat format, int threads) {
    return std::make_unique<RowSource>(std::move(name), std::move(format), threads);
}

std::unique_ptr<RowReader> line_rows(std::unique_ptr<ByteSource> source) {
    return std::make_unique<LineRows>(std::move(source));
}

std::unique_ptr<RowReader> record_rows(std::unique_ptr<ByteSource> source, std::size_t size) {
    return std::make_unique<RecordRows>(std::move(source), size);
}

}  // namespace solis::data

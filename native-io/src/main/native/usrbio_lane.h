// Carries out transfer requests on 3FS through two rings, one for each direction, and a shared buffer that data is copied through.
#pragma once
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "request_files.h"
#include "usrbio_api.h"

namespace nixlkv {
namespace usrbio {

using namespace request;
using request::DONE;

class Lane {
  public:
    // `entries`: transfers that a ring has room for.
    Lane(const Api& api, std::string mount, int entries) : api_(api), mount_(std::move(mount)), entries_(entries) {}
    Lane(const Lane&) = delete;

    ~Lane() {
        for (const auto& each : kept_) {
            closeFile(each.second);
        }
        for (Ior& ring : rings_) {
            if (ring.handle != nullptr) {
                api_.iordestroy(&ring);
            }
        }
        if (buffer_.base != nullptr) {
            api_.iovdestroy(&buffer_);
        }
    }

    // 0 or an errno; failedCall() tells whose.
    int open() {
        size_t blocks = std::min<size_t>(static_cast<size_t>(entries_), BLOCKS);
        failedCall_ = "hf3fs_iovcreate";
        int error = -api_.iovcreate(&buffer_, mount_.c_str(), blocks * BLOCK, 0, -1);
        if (error != 0) {
            buffer_.base = nullptr;
            return error;
        }
        if (api_.iovunlink != nullptr) {
            // 3FS has mapped it: without a name it goes with the process, however that ends
            api_.iovunlink(&buffer_);
        }
        for (size_t i = 0; i < blocks; i++) {
            free_.push_back(buffer_.base + i * BLOCK);
        }
        failedCall_ = "hf3fs_iorcreate";
        for (int read = 0; read < 2; read++) {
            error = -api_.iorcreate(&rings_[read], mount_.c_str(), entries_, read == 1, 0, -1);
            if (error != 0) {
                rings_[read].handle = nullptr;
                return error;
            }
        }
        return 0;
    }

    const char* failedCall() const { return failedCall_; }

    // Keeps a file open. Its number, or a negative errno.
    long long keep(const char* path) {
        int file = ::open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (file < 0) {
            return -errno;
        }
        int error = api_.reg_fd(file, 0);
        if (error > 0) {
            ::close(file);
            return -error;
        }
        kept_[++lastKept_] = file;
        return static_cast<long long>(lastKept_);
    }

    void drop(uint64_t number) {
        auto found = kept_.find(number);
        if (found != kept_.end()) {
            closeFile(found->second);
            kept_.erase(found);
        }
    }

    void files(char* buffer) {
        Work work(buffer);
        std::vector<Open> open;
        for (RequestItem& item : work) {
            if (open.size() == GROUP) {
                move(work, open);
            }
            if (work.expired()) {
                end(item, EXPIRED);
            } else {
                begin(work, item, open);
            }
        }
        move(work, open);
    }

  private:
    static constexpr size_t BLOCK = 1 << 20;
    static constexpr size_t BLOCKS = 64;
    static constexpr size_t GROUP = 256;

    struct Open {
        RequestItem* item;
        int file;
        bool own;
        int64_t next = 0;    // first byte that is not under way
        int64_t moved = 0;
        int error = 0;
    };

    struct Flight {
        Open* open;
        uint8_t* block;
        int64_t offset;
        size_t length;
        size_t done;
    };

    void closeFile(int file) {
        api_.dereg_fd(file);
        ::close(file);
    }

    void begin(Work& work, RequestItem& item, std::vector<Open>& open) {
        if (item.device != 0) {
            auto found = kept_.find(item.device);
            if (found == kept_.end()) {
                end(item, REFUSED);
            } else {
                open.push_back({&item, found->second, false});
            }
            return;
        }
        Identity there;
        if (work.writes() && work.header.publish == PUBLISH_NEW && (look(work.target(item), there) || errno != ENOENT)) {
            end(item, NOT_PLAIN);
            return;
        }
        int flags = work.writes() ? O_RDWR | O_CREAT | O_EXCL : O_RDONLY;
        int file = ::open(work.path(item), flags | O_NOFOLLOW | O_CLOEXEC, work.header.mode);
        if (file < 0) {
            bool absent = !work.writes() && errno == ENOENT;
            end(item, absent ? ABSENT : NO_FILE, errno);
            return;
        }
        if (!work.writes() && !wanted(item, file)) {
            ::close(file);
            return;
        }
        int error = api_.reg_fd(file, 0); // 0 and below are right, above is an errno
        if (error > 0) {
            ::close(file);
            end(item, REFUSED, error);
            return;
        }
        open.push_back({&item, file, true});
    }

    static bool wanted(RequestItem& item, int file) {
        struct stat status;
        if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
            end(item, NOT_PLAIN);
        } else if (status.st_size == 0) {
            end(item, ABSENT);
        } else if (status.st_size != item.length) {
            item.stored = status.st_size;
            end(item, OTHER_LENGTH);
        } else {
            return true;
        }
        return false;
    }

    // Moves all bytes of the open files, then closes them.
    void move(Work& work, std::vector<Open>& open) {
        std::map<const void*, std::unique_ptr<Flight>> flying;
        const Ior& ring = rings_[work.writes() ? 0 : 1];
        size_t first = 0;
        while (true) {
            size_t prepared = 0;
            for (size_t i = first; i < open.size() && !free_.empty(); i++) {
                while (open[i].error == 0 && open[i].next < open[i].item->length && !free_.empty()) {
                    prepared += launch(work, ring, open[i], flying) ? 1 : 0;
                }
                first = open[i].next < open[i].item->length ? i : i + 1;
            }
            if (flying.empty()) {
                break;
            }
            if (prepared > 0) {
                work.header.requests++;
                api_.submit_ios(&ring);
            }
            reap(work, ring, flying);
        }
        for (Open& each : open) {
            finish(work, each);
        }
        open.clear();
    }

    bool launch(Work& work, const Ior& ring, Open& open, std::map<const void*, std::unique_ptr<Flight>>& flying) {
        std::unique_ptr<Flight> flight(new Flight{&open, free_.back(), open.next,
                                                  std::min(BLOCK, static_cast<size_t>(open.item->length - open.next)), 0});
        free_.pop_back();
        if (work.writes()) {
            std::memcpy(flight->block, reinterpret_cast<char*>(open.item->address) + open.next, flight->length);
        }
        if (!prepare(work, ring, *flight)) {
            open.error = EIO;
            free_.push_back(flight->block);
            return false;
        }
        open.next += static_cast<int64_t>(flight->length);
        const void* key = flight.get();
        flying[key] = std::move(flight);
        return true;
    }

    bool prepare(Work& work, const Ior& ring, Flight& flight) {
        return api_.prep_io(&ring, &buffer_, !work.writes(), flight.block + flight.done, flight.open->file,
                            static_cast<size_t>(flight.open->item->offset + flight.offset) + flight.done,
                            flight.length - flight.done, &flight)
               >= 0;
    }

    // What is under way cannot be taken back, so this goes on until something ends, a little at a time.
    void reap(Work& work, const Ior& ring, std::map<const void*, std::unique_ptr<Flight>>& flying) {
        Cqe ended[64];
        struct timespec until;
        ::clock_gettime(CLOCK_REALTIME, &until); // the clock that 3FS compares with
        until.tv_sec += 1;
        int count = api_.wait_for_ios(&ring, ended, 64, 1, &until);
        if (count < 0) {
            struct timespec rest = {0, 1000000};
            ::nanosleep(&rest, nullptr);
        }
        bool again = false;
        for (int i = 0; i < count; i++) {
            Flight& flight = *flying.at(ended[i].userdata);
            again |= !landed(work, ring, flight, ended[i].result);
            if (flight.length == 0) {
                free_.push_back(flight.block);
                flying.erase(ended[i].userdata);
            }
        }
        if (again) {
            api_.submit_ios(&ring);
        }
    }

    // A short transfer goes on where it stopped; one without progress is an error. False if it is under way again.
    bool landed(Work& work, const Ior& ring, Flight& flight, int64_t result) {
        size_t left = flight.length - flight.done;
        if (result > 0 && static_cast<size_t>(result) < left) {
            flight.done += static_cast<size_t>(result);
            if (prepare(work, ring, flight)) {
                work.header.repeated++;
                return false;
            }
            result = -EIO;
        }
        if (result <= 0) {
            flight.open->error = result == 0 ? EIO : static_cast<int>(-result);
        } else {
            if (!work.writes()) {
                std::memcpy(reinterpret_cast<char*>(flight.open->item->address) + flight.offset, flight.block, flight.length);
            }
            flight.open->moved += static_cast<int64_t>(flight.length);
        }
        flight.length = 0;
        return true;
    }

    void finish(Work& work, Open& open) {
        RequestItem& item = *open.item;
        bool whole = open.error == 0 && open.moved == item.length;
        if (whole && work.writes() && open.own) {
            struct stat status;
            bool synced = (work.header.flags & REQUEST_SYNC) == 0 || ::fsync(open.file) == 0;
            whole = synced && ::fstat(open.file, &status) == 0 && status.st_size == item.length;
        }
        if (open.own) {
            closeFile(open.file);
        }
        if (!whole) {
            end(item, REFUSED, open.error);
        } else if (work.writes() && open.own) {
            publish(work, item);
        } else {
            end(item, DONE);
        }
    }

    const Api& api_;
    std::string mount_;
    int entries_;
    Iov buffer_ = {};
    Ior rings_[2] = {};
    std::vector<uint8_t*> free_;
    std::map<uint64_t, int> kept_;
    uint64_t lastKept_ = 0;
    const char* failedCall_ = "";
};

}  // namespace usrbio
}  // namespace nixlkv

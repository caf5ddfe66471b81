// Files of a request through one agent, and what NIXL does not keep: lengths, which item failed and why, publication.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "nixl_marks.h"
#include "nixl_mover.h"

namespace nixlkv {
namespace nixl {

using namespace request;
using request::DONE;

class Files {
  public:
    Files(Mover& mover, Marks& marks) : mover_(mover), marks_(marks) {}

    void run(Work& work) {
        std::vector<RequestItem*> ready;
        ready.reserve(static_cast<size_t>(work.header.items));
        identities_.resize(static_cast<size_t>(work.header.items));
        for (RequestItem& item : work) {
            if (precheck(work, item)) {
                ready.push_back(&item);
            }
        }
        mover_.inGroups(work, ready, [&](RequestItem** from, RequestItem** to) { group(work, from, to); });
    }

  private:
    // Lengths first: NIXL would read part of a longer object and says nothing of a shorter one. False ends the item.
    bool precheck(Work& work, RequestItem& item) {
        if (item.device != 0) {
            return true;
        }
        Identity found;
        if (work.writes()) {
            if (work.header.publish != PUBLISH_NEW || (!look(work.target(item), found) && errno == ENOENT)) {
                return true;
            }
            end(item, NOT_PLAIN);
            return false;
        }
        if (!look(work.path(item), found)) {
            end(item, errno == ENOENT ? ABSENT : NOT_PLAIN);
            return false;
        }
        if (found.size == 0) {
            end(item, ABSENT);
            return false;
        }
        if (found.size != item.length) {
            item.stored = found.size;
            end(item, OTHER_LENGTH);
            return false;
        }
        identities_[work.index(item)] = found;
        return true;
    }

    static std::string meta(const Work& work, const RequestItem& item) {
        std::string text = work.writes() ? "rw,create" : "ro";
        if (work.writes() && (work.header.flags & REQUEST_SYNC) != 0) {
            text += ",sync";
        }
        if ((item.flags & ITEM_DIRECT) != 0) {
            text += ",direct";
        }
        return text.append(":").append(work.path(item));
    }

    void group(Work& work, RequestItem** from, RequestItem** to) {
        if (!mover_.ready(work, from, to) || atOnce(work, from, to)) {
            return;
        }
        mover_.renew(work);
        for (RequestItem** item = from; item < to; item++) {
            if ((*item)->result == PENDING) {
                work.header.repeated++;
                alone(work, **item);
            }
        }
    }

    // False if NIXL failed; items that are still PENDING then are to be repeated.
    bool atOnce(Work& work, RequestItem** from, RequestItem** to) {
        Agent& agent = mover_.agent();
        size_t count = static_cast<size_t>(to - from);
        std::vector<Registration> files;
        std::vector<Piece> all;
        std::vector<RequestItem*> moving;
        files.reserve(count);
        all.reserve(count);
        moving.reserve(count);
        for (RequestItem** at = from; at < to; at++) {
            if ((*at)->device == 0) {
                prepareFile(work, **at);
                files.push_back({agent.nextDevice(), meta(work, **at)});
            }
        }
        if (!files.empty() && agent.registerAll(files) != SUCCESS) {
            return false;
        }
        size_t file = 0;
        for (RequestItem** at = from; at < to; at++) {
            RequestItem& item = **at;
            uint64_t device = item.device != 0 ? item.device : files[file++].device;
            if (item.device == 0 && !work.writes() && replaced(work, item)) {
                end(item, NOT_PLAIN);
                continue;
            }
            marks_.plant(work, item);
            mover_.pieces(item, device, all);
            moving.push_back(&item);
        }
        int code = all.empty() ? static_cast<int>(SUCCESS) : mover_.transfer(work, all);
        if (!files.empty() && agent.deregisterAll(files) != SUCCESS) {
            code = BACKEND_FAILED;
        }
        if (code != SUCCESS) {
            return false;
        }
        bool whole = true;
        for (RequestItem* item : moving) {
            whole = finish(work, *item) && whole;
        }
        return whole;
    }

    // Path mode makes files with 0644; others are made here with their own permissions.
    static void prepareFile(const Work& work, const RequestItem& item) {
        if (work.writes() && work.header.mode != 0644) {
            int made = ::open(work.path(item), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, work.header.mode);
            if (made >= 0) {
                ::close(made);
            }
        }
    }

    // Whether another object took the name between the look at its length and the opening.
    bool replaced(const Work& work, const RequestItem& item) const {
        Identity now;
        return !look(work.path(item), now) || !(now == identities_[work.index(item)]);
    }

    // After NIXL's success. False if it is not to be believed; the item is left PENDING then.
    bool finish(const Work& work, RequestItem& item) const {
        if (!work.writes()) {
            if (marks_.untouched(work, item)) {
                return false;
            }
            end(item, DONE);
            return true;
        }
        if (item.device != 0) {
            end(item, DONE);
            return true;
        }
        Identity written;
        if (!look(work.path(item), written) || written.size != item.length) {
            return false;
        }
        publish(work, item);
        return true;
    }

    // The item with a descriptor of ours, so that NIXL's failure has a reason.
    void alone(Work& work, RequestItem& item) {
        if (work.expired()) {
            end(item, EXPIRED);
            return;
        }
        if (!mover_.agent().isOpen()) {
            end(item, REFUSED);
            return;
        }
        if (item.device != 0) {
            marks_.plant(work, item);
            if (!mover_.move(work, item, item.device) || marks_.untouched(work, item)) {
                failedAlone(work, item);
            } else {
                end(item, DONE);
            }
            return;
        }
        int flags = work.writes() ? O_RDWR | O_CREAT : O_RDONLY;
        flags |= (item.flags & ITEM_DIRECT) != 0 ? O_DIRECT : 0;
        flags |= work.writes() && (work.header.flags & REQUEST_SYNC) != 0 ? O_SYNC : 0;
        int file = ::open(work.path(item), flags | O_NOFOLLOW | O_CLOEXEC, work.header.mode);
        if (file < 0) {
            end(item, NO_FILE, errno);
            return;
        }
        withDescriptor(work, item, file);
        ::close(file);
        if (item.result == WRITTEN) {
            publish(work, item);
        }
    }

    void withDescriptor(Work& work, RequestItem& item, int file) {
        struct stat status;
        if (::fstat(file, &status) != 0) {
            end(item, NO_FILE, errno);
            return;
        }
        if (!work.writes() && status.st_size != item.length) {
            end(item, NOT_PLAIN);
            return;
        }
        std::vector<Registration> registered = {{static_cast<uint64_t>(file), ""}};
        if (mover_.agent().registerAll(registered) != SUCCESS) {
            failedAlone(work, item);
            return;
        }
        marks_.plant(work, item);
        bool moved = mover_.move(work, item, static_cast<uint64_t>(file)) && !marks_.untouched(work, item);
        mover_.agent().deregisterAll(registered);
        if (moved && work.writes()) {
            moved = ::fstat(file, &status) == 0 && status.st_size == item.length;
        }
        if (moved) {
            end(item, work.writes() ? WRITTEN : DONE);
        } else {
            failedAlone(work, item);
        }
    }

    void failedAlone(Work& work, RequestItem& item) {
        end(item, REFUSED);
        mover_.renew(work);
    }

    Mover& mover_;
    Marks& marks_;
    std::vector<Identity> identities_;
};

}  // namespace nixl
}  // namespace nixlkv

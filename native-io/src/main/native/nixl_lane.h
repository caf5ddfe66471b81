// Carries out requests on one agent and keeps what NIXL does not: limits, lengths, which item failed, and the fence.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "nixl_agent.h"
#include "request_files.h"

namespace nixlkv {
namespace nixl {

using namespace request;
using request::DONE;

class Lane {
  public:
    // `slots`: descriptors that one agent may have in flight. `pieceBytes`: longer descriptors count, or are cut, as several; 0 never.
    Lane(std::unique_ptr<Agent> agent, size_t slots, size_t pieceBytes)
        : agent_(std::move(agent)), slots_(slots), pieceBytes_(pieceBytes) {}

    Agent& agent() { return *agent_; }

    void files(char* buffer) {
        Work work(buffer);
        std::vector<RequestItem*> ready;
        for (RequestItem& item : work) {
            if (precheck(work, item)) {
                ready.push_back(&item);
            }
        }
        inGroups(work, ready, [&](RequestItem** from, RequestItem** to) { fileGroup(work, from, to); });
    }

    void objects(char* buffer) {
        Work work(buffer);
        std::vector<RequestItem*> ready;
        for (RequestItem& item : work) {
            ready.push_back(&item);
        }
        inGroups(work, ready, [&](RequestItem** from, RequestItem** to) { objectGroup(work, from, to); });
    }

  private:
    // Lengths first: NIXL would read part of a longer object and says nothing of a shorter one. False ends the item.
    bool precheck(Work& work, RequestItem& item) {
        if (item.device != 0) {
            return true;
        }
        Identity found;
        if (work.writes()) {
            if (work.header.publish != PUBLISH_NEW) {
                return true;
            }
            if (!look(work.target(item), found) && errno == ENOENT) {
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
        identities_[&item] = found;
        return true;
    }

    size_t cost(const RequestItem& item) const {
        return pieceBytes_ == 0 ? 1 : (static_cast<size_t>(item.length) + pieceBytes_ - 1) / pieceBytes_;
    }

    template <typename Group>
    void inGroups(Work& work, std::vector<RequestItem*>& ready, Group group) {
        for (size_t from = 0; from < ready.size();) {
            size_t to = from;
            for (size_t used = 0; to < ready.size() && (to == from || used + cost(*ready[to]) <= slots_); to++) {
                used += cost(*ready[to]);
            }
            if (work.expired()) {
                std::for_each(ready.begin() + from, ready.end(), [](RequestItem* item) { end(*item, EXPIRED); });
                break;
            }
            group(ready.data() + from, ready.data() + to);
            from = to;
        }
        identities_.clear();
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

    void pieces(const RequestItem& item, uint64_t device, std::vector<Piece>& into) const {
        size_t whole = static_cast<size_t>(item.length);
        // an item that fits is left whole: the plugin cuts it itself
        size_t step = cost(item) <= slots_ ? whole : pieceBytes_;
        for (size_t at = 0; at < whole; at += step) {
            into.push_back({item.address + at, item.offset + at, std::min(step, whole - at), device});
        }
    }

    // Requests of at most as many descriptors as there are slots. NIXL's code.
    int transfer(Work& work, const std::vector<Piece>& pieces) {
        int code = SUCCESS;
        for (size_t from = 0; code == SUCCESS && from < pieces.size(); from += slots_) {
            work.header.requests++;
            code = agent_->run(work.writes(), &pieces[from], std::min(slots_, pieces.size() - from));
        }
        return code;
    }

    void fileGroup(Work& work, RequestItem** from, RequestItem** to) {
        if (!agent_->isOpen() && !renew(work)) {
            std::for_each(from, to, [](RequestItem* item) { end(*item, REFUSED); });
            return;
        }
        if (!fileGroupAtOnce(work, from, to)) {
            renew(work);
            for (RequestItem** item = from; item < to; item++) {
                if ((*item)->result == PENDING) {
                    work.header.repeated++;
                    alone(work, **item);
                }
            }
        }
    }

    // False if NIXL failed; items that are still PENDING then are to be repeated.
    bool fileGroupAtOnce(Work& work, RequestItem** from, RequestItem** to) {
        std::vector<Registration> files;
        std::vector<Piece> all;
        std::vector<RequestItem*> moving;
        all.reserve(static_cast<size_t>(to - from));
        for (RequestItem** at = from; at < to; at++) {
            if ((*at)->device == 0) {
                prepareFile(work, **at);
                files.push_back({agent_->nextDevice(), meta(work, **at)});
            }
        }
        if (!files.empty() && agent_->registerAll(files) != SUCCESS) {
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
            plant(work, item);
            pieces(item, device, all);
            moving.push_back(&item);
        }
        int code = all.empty() ? static_cast<int>(SUCCESS) : transfer(work, all);
        if (!files.empty() && agent_->deregisterAll(files) != SUCCESS) {
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
    bool replaced(const Work& work, const RequestItem& item) {
        Identity now;
        return !look(work.path(item), now) || !(now == identities_[&item]);
    }

    // After NIXL's success. False if it is not to be believed; the item is left PENDING then.
    bool finish(Work& work, RequestItem& item) {
        if (!work.writes()) {
            if (untouched(work, item)) {
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
        if (!agent_->isOpen()) {
            end(item, REFUSED);
            return;
        }
        if (item.device != 0) {
            plant(work, item);
            if (!run(work, item, item.device) || untouched(work, item)) {
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
        if (agent_->registerAll(registered) != SUCCESS) {
            failedAlone(work, item);
            return;
        }
        plant(work, item);
        bool moved = run(work, item, static_cast<uint64_t>(file)) && !untouched(work, item);
        agent_->deregisterAll(registered);
        if (moved && work.writes()) {
            moved = ::fstat(file, &status) == 0 && status.st_size == item.length;
        }
        if (moved) {
            end(item, work.writes() ? WRITTEN : DONE);
        } else {
            failedAlone(work, item);
        }
    }

    bool run(Work& work, const RequestItem& item, uint64_t device) {
        std::vector<Piece> all;
        pieces(item, device, all);
        return transfer(work, all) == SUCCESS;
    }

    void failedAlone(Work& work, RequestItem& item) {
        end(item, REFUSED);
        renew(work);
    }

    bool renew(Work& work) {
        work.header.reopened++;
        return agent_->reopen() == SUCCESS;
    }

    // Every object is a request of its own: one request for many would end with the first failure while others still move.
    void objectGroup(Work& work, RequestItem** from, RequestItem** to) {
        struct Running {
            RequestItem* item;
            Handle request;
            int status;
            uint64_t device;
        };
        if (!agent_->isOpen() && !renew(work)) {
            std::for_each(from, to, [](RequestItem* item) { end(*item, REFUSED); });
            return;
        }
        std::vector<Registration> keys;
        std::vector<Running> running;
        for (RequestItem** at = from; at < to; at++) {
            Registration key = {agent_->nextDevice(), work.path(**at)};
            if (agent_->registerAll({key}) != SUCCESS) {
                end(**at, REFUSED);
                continue;
            }
            keys.push_back(key);
            plant(work, **at);
            Piece piece = {(*at)->address, 0, static_cast<size_t>((*at)->length), key.device};
            int status;
            work.header.requests++;
            Handle request = agent_->start(work.writes(), &piece, 1, status);
            if (request == nullptr) {
                end(**at, REFUSED);
            } else {
                running.push_back({*at, request, status, key.device});
            }
        }
        size_t left = running.size();
        for (unsigned polls = 0; left > 0; polls++) {
            left = 0;
            for (Running& each : running) {
                if (each.status == IN_PROGRESS) {
                    each.status = agent_->poll(each.request);
                    left += each.status == IN_PROGRESS ? 1 : 0;
                }
            }
            if (left > 0) {
                Agent::pause(polls);
            }
        }
        for (Running& each : running) {
            agent_->release(each.request);
        }
        for (size_t i = 0; i < running.size(); i++) {
            RequestItem& item = *running[i].item;
            if (running[i].status != SUCCESS) {
                end(item, REFUSED);
            } else if (untouched(work, item) && shortAgain(work, item, running[i].device)) {
                end(item, OTHER_LENGTH);
            } else {
                end(item, DONE);
            }
        }
        if (!keys.empty()) {
            agent_->deregisterAll(keys);
        }
    }

    // The object may happen to end with the mark: another one decides.
    bool shortAgain(Work& work, RequestItem& item, uint64_t device) {
        work.header.repeated++;
        item.stored = -1;
        plant(work, item);
        Piece piece = {item.address, 0, static_cast<size_t>(item.length), device};
        return agent_->run(false, &piece, 1) != SUCCESS || untouched(work, item);
    }

    // Short reads that a plugin calls a success leave the end of the slice as it was: a mark there tells.
    void plant(const Work& work, const RequestItem& item) {
        if (work.sentinel()) {
            // never the same twice in a row, not in a single byte either
            uint64_t mark = ~lastMark_ ^ (static_cast<uint64_t>(nowNanos()) * 0x9e3779b97f4a7c15ull & 0xfefefefefefefefeull);
            lastMark_ = mark;
            marks_[&item] = mark;
            size_t bytes = std::min<size_t>(sizeof mark, static_cast<size_t>(item.length));
            std::memcpy(reinterpret_cast<char*>(item.address) + item.length - bytes, &mark, bytes);
        }
    }

    bool untouched(const Work& work, const RequestItem& item) {
        auto mark = marks_.find(&item);
        if (!work.sentinel() || mark == marks_.end()) {
            return false;
        }
        size_t bytes = std::min<size_t>(sizeof mark->second, static_cast<size_t>(item.length));
        bool same = std::memcmp(reinterpret_cast<char*>(item.address) + item.length - bytes, &mark->second, bytes) == 0;
        marks_.erase(mark);
        return same;
    }

    uint64_t lastMark_ = 0x6e69786c6b762121ull;

    std::unique_ptr<Agent> agent_;
    size_t slots_;
    size_t pieceBytes_;
    std::map<const RequestItem*, Identity> identities_;
    std::map<const RequestItem*, uint64_t> marks_;
};

}  // namespace nixl
}  // namespace nixlkv

// Moves bytes on one agent within its limits: never more descriptors than it has slots, and anew after a failure.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "nixl_agent.h"
#include "request_files.h"

namespace nixlkv {
namespace nixl {

class Mover {
  public:
    // `slots`: descriptors that one agent may have in flight. `pieceBytes`: longer descriptors count, or are cut, as several; 0 never.
    Mover(std::unique_ptr<Agent> agent, size_t slots, size_t pieceBytes)
        : agent_(std::move(agent)), slots_(slots), pieceBytes_(pieceBytes) {}

    Agent& agent() { return *agent_; }

    // Calls `group` with as many items at a time as there are slots for; what the deadline leaves over ends as EXPIRED.
    template <typename Group>
    void inGroups(request::Work& work, std::vector<request::RequestItem*>& ready, Group group) const {
        for (size_t from = 0; from < ready.size();) {
            size_t to = from;
            for (size_t used = 0; to < ready.size() && (to == from || used + cost(*ready[to]) <= slots_); to++) {
                used += cost(*ready[to]);
            }
            if (work.expired()) {
                std::for_each(ready.begin() + static_cast<std::ptrdiff_t>(from), ready.end(),
                              [](request::RequestItem* item) { request::end(*item, request::EXPIRED); });
                break;
            }
            group(ready.data() + from, ready.data() + to);
            from = to;
        }
    }

    void pieces(const request::RequestItem& item, uint64_t device, std::vector<Piece>& into) const {
        size_t whole = static_cast<size_t>(item.length);
        // an item that fits is left whole: the plugin cuts it itself
        size_t step = cost(item) <= slots_ ? whole : pieceBytes_;
        for (size_t at = 0; at < whole; at += step) {
            into.push_back({item.address + at, item.offset + at, std::min(step, whole - at), device});
        }
    }

    // Requests of at most as many descriptors as there are slots. NIXL's code.
    int transfer(request::Work& work, const std::vector<Piece>& pieces) {
        int code = SUCCESS;
        for (size_t from = 0; code == SUCCESS && from < pieces.size(); from += slots_) {
            work.header.requests++;
            code = agent_->run(work.writes(), &pieces[from], std::min(slots_, pieces.size() - from));
        }
        return code;
    }

    bool move(request::Work& work, const request::RequestItem& item, uint64_t device) {
        std::vector<Piece> all;
        pieces(item, device, all);
        return transfer(work, all) == SUCCESS;
    }

    // A backend that failed is not trusted any more. False if none can be made.
    bool renew(request::Work& work) {
        work.header.reopened++;
        return agent_->reopen() == SUCCESS;
    }

    // False, with every item ended as REFUSED, if there is no agent and none can be made.
    bool ready(request::Work& work, request::RequestItem** from, request::RequestItem** to) {
        if (agent_->isOpen() || renew(work)) {
            return true;
        }
        std::for_each(from, to, [](request::RequestItem* item) { request::end(*item, request::REFUSED); });
        return false;
    }

  private:
    size_t cost(const request::RequestItem& item) const {
        return pieceBytes_ == 0 ? 1 : (static_cast<size_t>(item.length) + pieceBytes_ - 1) / pieceBytes_;
    }

    std::unique_ptr<Agent> agent_;
    size_t slots_;
    size_t pieceBytes_;
};

}  // namespace nixl
}  // namespace nixlkv

// Objects of a request through one agent. Every object is a request of its own: one request for many would end with the first failure
// while others still move.
#pragma once
#include "nixl_marks.h"
#include "nixl_mover.h"

namespace nixlkv {
namespace nixl {

using namespace request;
using request::DONE;

class Objects {
  public:
    Objects(Mover& mover, Marks& marks) : mover_(mover), marks_(marks) {}

    void run(Work& work) {
        std::vector<RequestItem*> ready;
        ready.reserve(static_cast<size_t>(work.header.items));
        for (RequestItem& item : work) {
            ready.push_back(&item);
        }
        mover_.inGroups(work, ready, [&](RequestItem** from, RequestItem** to) {
            if (mover_.ready(work, from, to)) {
                group(work, from, to);
            }
        });
    }

  private:
    struct Running {
        RequestItem* item;
        Handle request;
        int status;
        uint64_t device;
    };

    void group(Work& work, RequestItem** from, RequestItem** to) {
        std::vector<Registration> keys;
        std::vector<Running> running;
        keys.reserve(static_cast<size_t>(to - from));
        running.reserve(static_cast<size_t>(to - from));
        for (RequestItem** at = from; at < to; at++) {
            uint64_t device = (*at)->device;
            if (device == 0) {
                Registration key = {agent().nextDevice(), work.path(**at)};
                if (agent().registerAll({key}) != SUCCESS) {
                    end(**at, REFUSED);
                    continue;
                }
                device = key.device;
                keys.push_back(std::move(key));
            }
            start(work, **at, device, running);
        }
        finish(running);
        for (const Running& each : running) {
            RequestItem& item = *each.item;
            if (each.status != SUCCESS) {
                end(item, REFUSED);
            } else if (marks_.maybeShort(work, item) && shortAgain(work, item, each.device)) {
                end(item, OTHER_LENGTH);
            } else {
                end(item, DONE);
            }
        }
        if (!keys.empty()) {
            agent().deregisterAll(keys);
        }
    }

    void start(Work& work, RequestItem& item, uint64_t device, std::vector<Running>& running) {
        marks_.plant(work, item);
        Piece piece = {item.address, 0, static_cast<size_t>(item.length), device};
        int status;
        work.header.requests++;
        Handle request = agent().start(work.writes(), &piece, 1, status);
        if (request == nullptr) {
            end(item, REFUSED);
        } else {
            running.push_back({&item, request, status, device});
        }
    }

    // Nothing is released before all have ended.
    void finish(std::vector<Running>& running) {
        size_t left = running.size();
        for (unsigned polls = 0; left > 0; polls++) {
            left = 0;
            for (Running& each : running) {
                if (each.status == IN_PROGRESS) {
                    each.status = agent().poll(each.request);
                    left += each.status == IN_PROGRESS ? 1 : 0;
                }
            }
            if (left > 0) {
                Agent::pause(polls);
            }
        }
        for (Running& each : running) {
            agent().release(each.request);
        }
    }

    // The object may happen to end with the byte of the mark: another one decides.
    bool shortAgain(Work& work, RequestItem& item, uint64_t device) {
        work.header.repeated++;
        item.stored = -1;
        marks_.plant(work, item);
        Piece piece = {item.address, 0, static_cast<size_t>(item.length), device};
        return agent().run(false, &piece, 1) != SUCCESS || marks_.maybeShort(work, item);
    }

    Agent& agent() { return mover_.agent(); }

    Mover& mover_;
    Marks& marks_;
};

}  // namespace nixl
}  // namespace nixlkv

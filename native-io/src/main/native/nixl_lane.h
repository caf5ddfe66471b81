// Carries out requests on one agent: what Java holds a handle of.
#pragma once
#include "nixl_files.h"
#include "nixl_objects.h"

namespace nixlkv {
namespace nixl {

class Lane {
  public:
    // As for a Mover.
    Lane(std::unique_ptr<Agent> agent, size_t slots, size_t pieceBytes) : mover_(std::move(agent), slots, pieceBytes) {}

    Agent& agent() { return mover_.agent(); }

    void files(char* buffer) {
        Work work(buffer);
        marks_.start(work);
        files_.run(work);
    }

    void objects(char* buffer) {
        Work work(buffer);
        marks_.start(work);
        objects_.run(work);
    }

  private:
    Mover mover_;
    Marks marks_;
    Files files_{mover_, marks_};
    Objects objects_{mover_, marks_};
};

}  // namespace nixl
}  // namespace nixlkv

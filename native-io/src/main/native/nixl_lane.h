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
    Lane(const Lane&) = delete;
    ~Lane() {
        Current now(device_.get());
        agent().close();
    }

    Agent& agent() { return mover_.agent(); }

    // The memory of its transfers is this GPU's; before the agent is opened. Plugins find the GPU's context current in every call.
    void onDevice(std::unique_ptr<cuda::Device> device, int number) {
        device_ = std::move(device);
        marks_.onDevice(device_.get());
        agent().onDevice(number);
    }

    int open() {
        Current now(device_.get());
        return now.code() != cuda::SUCCESS ? static_cast<int>(BACKEND_FAILED) : agent().open();
    }

    void files(char* buffer) {
        Current now(device_.get());
        Work work(buffer);
        marks_.start(work);
        files_.run(work);
    }

    void objects(char* buffer) {
        Current now(device_.get());
        Work work(buffer);
        marks_.start(work);
        objects_.run(work);
    }

  private:
    using Current = cuda::Device::Current;

    std::unique_ptr<cuda::Device> device_;
    Mover mover_;
    Marks marks_;
    Files files_{mover_, marks_};
    Objects objects_{mover_, marks_};
};

}  // namespace nixl
}  // namespace nixlkv

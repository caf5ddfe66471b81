// A lane: carries out one batch at a time, by one of the engines.
#pragma once
#include "task.h"

namespace nixlkv {

class Lane {
  public:
    explicit Lane(std::shared_ptr<Backend> shared) : backend(*shared), shared_(std::move(shared)) {}
    virtual ~Lane() = default;
    virtual void run(Batch& batch) = 0;

    Backend& backend;

  private:
    // a lane that outlives the closing of its backend keeps what it works with
    const std::shared_ptr<Backend> shared_;
};

}  // namespace nixlkv

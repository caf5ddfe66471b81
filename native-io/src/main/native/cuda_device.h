// One GPU with its primary context, the one that CUDA's runtime, and with it NIXL, uses. Any thread may call: the context is pushed
// around every call and popped after it.
#pragma once
#include "cuda_api.h"

namespace nixlkv {
namespace cuda {

class Device {
  public:
    Device(const Api& api, int number) : api_(api), number_(number) {}
    Device(const Device&) = delete;
    ~Device() {
        if (context_ != nullptr) {
            api_.release(handle_);
        }
    }

    // SUCCESS or CUDA's code, as all calls here answer.
    int open() {
        int code = api_.device(&handle_, number_);
        return code != SUCCESS ? code : api_.retain(&context_, handle_);
    }

    // Makes a device's context the thread's until the end of the block; nothing happens without a device.
    class Current {
      public:
        explicit Current(const Device* device) : device_(device) {
            if (device_ != nullptr) {
                code_ = device_->api_.push(device_->context_);
            }
        }
        Current(const Current&) = delete;
        ~Current() {
            if (device_ != nullptr && code_ == SUCCESS) {
                Context popped;
                device_->api_.pop(&popped);
            }
        }
        int code() const { return code_; }

      private:
        const Device* device_;
        int code_ = SUCCESS;
    };

    int allocate(size_t bytes, Address& address) const {
        Current now(this);
        return now.code() != SUCCESS ? now.code() : api_.allocate(&address, bytes);
    }

    int free(Address address) const {
        Current now(this);
        return now.code() != SUCCESS ? now.code() : api_.free(address);
    }

    int information(size_t& free, size_t& total) const {
        Current now(this);
        return now.code() != SUCCESS ? now.code() : api_.information(&free, &total);
    }

    int copyIn(Address to, const void* from, size_t bytes) const {
        Current now(this);
        return now.code() != SUCCESS ? now.code() : done(api_.toDevice(to, from, bytes));
    }

    int copyOut(void* to, Address from, size_t bytes) const {
        Current now(this);
        return now.code() != SUCCESS ? now.code() : done(api_.toHost(to, from, bytes));
    }

    int copyWithin(Address to, Address from, size_t bytes) const {
        Current now(this);
        return now.code() != SUCCESS ? now.code() : done(api_.within(to, from, bytes));
    }

    int clear(Address address, size_t bytes) const {
        Current now(this);
        return now.code() != SUCCESS ? now.code() : done(api_.set(address, 0, bytes));
    }

    // Whose memory an address is, and the allocation around it.
    int describe(Address address, int& type, int& ordinal, Address& base, size_t& bytes) const {
        Current now(this);
        int code = now.code();
        if (code == SUCCESS) {
            code = api_.attribute(&type, MEMORY_TYPE, address);
        }
        if (code == SUCCESS) {
            code = api_.attribute(&ordinal, DEVICE_ORDINAL, address);
        }
        return code != SUCCESS || type != DEVICE_MEMORY ? code : api_.range(&base, &bytes, address);
    }

  private:
    // Copies and fillings may still run when the driver's call returns, and what reads the memory next is no work of CUDA's.
    int done(int code) const { return code != SUCCESS ? code : api_.synchronize(nullptr); }

    const Api& api_;
    const int number_;
    int handle_ = 0;
    Context context_ = nullptr;
};

}  // namespace cuda
}  // namespace nixlkv

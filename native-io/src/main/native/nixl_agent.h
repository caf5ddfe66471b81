// One NIXL agent with one backend, as it belongs to one lane. NIXL promises no order between threads: one thread at a time.
#pragma once
#include <sched.h>
#include <time.h>

#include <map>
#include <utility>
#include <vector>

#include "nixl_api.h"

namespace nixlkv {
namespace nixl {

struct Settings {
    std::string name;
    std::string plugin;
    std::vector<std::pair<std::string, std::string>> parameters;
    Memory storage;
    bool progressThread;
};

// One side of memory and one of storage.
struct Piece {
    uintptr_t address;
    uint64_t offset;
    size_t length;
    uint64_t device;
};

// What is registered together: device, text that names it.
struct Registration {
    uint64_t device;
    std::string meta;
};

class Agent {
  public:
    Agent(const Api& api, Settings settings) : api_(api), settings_(std::move(settings)) {}
    Agent(const Agent&) = delete;
    ~Agent() { close(); }

    // Memory that transfers may touch; before open().
    void addMemory(uintptr_t address, size_t length) { memory_.push_back({address, length}); }

    // That memory is a GPU's, by its number; before open().
    void onDevice(int number) {
        kind_ = VRAM;
        device_ = static_cast<uint64_t>(number);
    }

    bool isOpen() const { return agent_ != nullptr; }
    const char* failedCall() const { return failedCall_; }

    // SUCCESS or NIXL's code; failedCall() tells whose. Nothing is left open after a failure.
    int open() {
        int code = tryOpen();
        if (code != SUCCESS) {
            const char* call = failedCall_;
            close();
            failedCall_ = call;
        }
        return code;
    }

    // Everything that runs has ended before: the lane never leaves a request behind.
    void close() {
        if (options_ != nullptr) {
            api_.destroy_opt_args(options_);
        }
        if (backend_ != nullptr) {
            api_.destroy_backend(backend_);
        }
        if (agent_ != nullptr) {
            api_.destroy_agent(agent_);
        }
        options_ = backend_ = agent_ = nullptr;
    }

    // A backend that failed once is not trusted: its queue may be poisoned or hold stale requests.
    int reopen() {
        close();
        return open();
    }

    uint64_t nextDevice() { return ++lastDevice_; }

    // Registers for as long as the agent lives, also through reopen().
    int keep(const Registration& file) {
        int code = registerAll({file});
        if (code == SUCCESS) {
            kept_.emplace(file.device, file.meta);
        }
        return code;
    }

    void drop(uint64_t device) {
        if (kept_.erase(device) > 0 && isOpen()) {
            deregisterAll({{device, ""}});
        }
    }

    int registerAll(const std::vector<Registration>& storage) {
        List list(api_, settings_.storage, storage);
        return api_.register_mem(agent_, list.handle, options_);
    }

    int deregisterAll(const std::vector<Registration>& storage) {
        List list(api_, settings_.storage, storage);
        return api_.deregister_mem(agent_, list.handle, options_);
    }

    // Starts a request; null if NIXL refuses it. `status` is what posting answered.
    Handle start(bool write, const Piece* pieces, size_t count, int& status) {
        Handle local = nullptr;
        Handle remote = nullptr;
        api_.create_xfer_dlist(kind_, &local);
        api_.create_xfer_dlist(settings_.storage, &remote);
        for (size_t i = 0; i < count; i++) {
            api_.xfer_dlist_add_desc(local, pieces[i].address, pieces[i].length, device_);
            api_.xfer_dlist_add_desc(remote, pieces[i].offset, pieces[i].length, pieces[i].device);
        }
        Handle request = nullptr;
        status = api_.create_xfer_req(agent_, write ? 1 : 0, local, remote, settings_.name.c_str(), &request, options_);
        api_.destroy_xfer_dlist(local);
        api_.destroy_xfer_dlist(remote);
        if (status != SUCCESS) {
            return nullptr;
        }
        status = api_.post_xfer_req(agent_, request, nullptr);
        return request;
    }

    int poll(Handle request) { return api_.get_xfer_status(agent_, request); }

    // Only with a terminal status: NIXL frees what is in flight.
    void release(Handle request) {
        api_.release_xfer_req(agent_, request);
        api_.destroy_xfer_req(request);
    }

    // One request from start to end. There is no way to cancel, so this lasts until NIXL says that it is over.
    int run(bool write, const Piece* pieces, size_t count) {
        int status;
        Handle request = start(write, pieces, count, status);
        if (request == nullptr) {
            return status;
        }
        for (unsigned polls = 0; status == IN_PROGRESS; polls++) {
            pause(polls);
            status = poll(request);
        }
        release(request);
        return status;
    }

    // Between two polls: busy at first, since a queue moves only when it is polled; later it leaves the processor to others.
    static void pause(unsigned polls) {
        if (polls >= 20000) {
            struct timespec rest = {0, 100000};
            ::nanosleep(&rest, nullptr);
        } else if (polls >= 64) {
            ::sched_yield();
        }
    }

    // One character for each key: '1' present, '0' absent, '?' unknown.
    std::string query(const std::vector<std::string>& keys) {
        std::string answers = queryOnce(keys);
        if (answers.empty()) {
            // one bad key fails all of them
            for (const std::string& key : keys) {
                std::string alone = keys.size() > 1 ? queryOnce({key}) : "";
                answers += alone.empty() ? "?" : alone;
            }
        }
        return answers;
    }

    // Names of the plugins NIXL sees, one a line.
    std::string plugins() {
        Handle list = nullptr;
        size_t size = 0;
        std::string names;
        if (api_.get_available_plugins(agent_, &list) == SUCCESS && api_.string_list_size(list, &size) == SUCCESS) {
            for (size_t i = 0; i < size; i++) {
                const char* name = nullptr;
                if (api_.string_list_get(list, i, &name) == SUCCESS) {
                    names.append(name).append("\n");
                }
            }
            api_.destroy_string_list(list);
        }
        return names;
    }

    // First line: numbers of nixl_mem_t with a blank after each; then key=value lines. Empty if NIXL cannot load the plugin.
    std::string describe(const char* plugin) {
        Handle memories = nullptr;
        Handle parameters = nullptr;
        if (api_.get_plugin_params(agent_, plugin, &memories, &parameters) != SUCCESS) {
            return "";
        }
        std::string text;
        size_t size = 0;
        api_.mem_list_size(memories, &size);
        for (size_t i = 0; i < size; i++) {
            int memory = 0;
            api_.mem_list_get(memories, i, &memory);
            text.append(std::to_string(memory)).append(" ");
        }
        text.append("\n").append(lines(parameters));
        api_.destroy_mem_list(memories);
        api_.destroy_params(parameters);
        return text;
    }

  private:
    // A registration list, gone at the end of its block.
    struct List {
        const Api& api;
        Handle handle = nullptr;

        List(const Api& api, int kind, const std::vector<Registration>& storage) : api(api) {
            api.create_reg_dlist(kind, &handle);
            for (const Registration& each : storage) {
                api.reg_dlist_add_desc(handle, 0, 0, each.device, each.meta.data(), each.meta.size());
            }
        }
        List(const List&) = delete;
        ~List() { api.destroy_reg_dlist(handle); }
    };

    int failed(const char* call, int code) {
        failedCall_ = call;
        return code == SUCCESS ? BACKEND_FAILED : code;
    }

    int tryOpen() {
        // Two versions of the structure are about: strict locking is 1 at offset 4 in one and at 8 in the other, where the other
        // has a port that is not opened and a number that is not read.
        alignas(8) unsigned char config[128] = {0};
        config[0] = settings_.progressThread ? 1 : 0;
        config[4] = 1;
        config[8] = 1;
        int code = api_.create_configured_agent(settings_.name.c_str(), config, &agent_);
        if (code != SUCCESS) {
            agent_ = nullptr;
            return failed("create_configured_agent", code);
        }
        if (settings_.plugin.empty()) {
            return SUCCESS;
        }
        Handle parameters = nullptr;
        api_.create_params(&parameters);
        for (const auto& each : settings_.parameters) {
            api_.params_add(parameters, each.first.c_str(), each.second.c_str());
        }
        code = api_.create_backend(agent_, settings_.plugin.c_str(), parameters, &backend_);
        api_.destroy_params(parameters);
        if (code != SUCCESS || backend_ == nullptr) {
            backend_ = nullptr;
            return failed("create_backend", code);
        }
        api_.create_opt_args(&options_);
        api_.opt_args_add_backend(options_, backend_);
        if (!memory_.empty()) {
            Handle list = nullptr;
            api_.create_reg_dlist(kind_, &list);
            for (const auto& each : memory_) {
                api_.reg_dlist_add_desc(list, each.first, each.second, device_, "", 0);
            }
            code = api_.register_mem(agent_, list, options_);
            api_.destroy_reg_dlist(list);
            if (code != SUCCESS) {
                return failed(kind_ == VRAM ? "register_mem of the arena, memory of a GPU," : "register_mem of the arena", code);
            }
        }
        for (const auto& each : kept_) {
            code = registerAll({{each.first, each.second}});
            if (code != SUCCESS) {
                return failed("register_mem of a pool", code);
            }
        }
        return SUCCESS;
    }

    std::string queryOnce(const std::vector<std::string>& keys) {
        std::vector<Registration> storage;
        for (const std::string& key : keys) {
            storage.push_back({0, key});
        }
        List list(api_, settings_.storage, storage);
        Handle answers = nullptr;
        api_.create_query_resp_list(&answers);
        std::string found;
        if (api_.query_mem(agent_, list.handle, answers, options_) == SUCCESS) {
            for (size_t i = 0; i < keys.size(); i++) {
                bool there = false;
                int code = api_.query_resp_list_has_value(answers, i, &there);
                found += code != SUCCESS ? '?' : there ? '1' : '0';
            }
        }
        api_.destroy_query_resp_list(answers);
        return found;
    }

    std::string lines(Handle parameters) {
        std::string text;
        bool empty = true;
        Handle at = nullptr;
        // the iterator of an empty map gives nothing, and afterwards tells whether another follows
        if (api_.params_is_empty(parameters, &empty) == SUCCESS && !empty
            && api_.params_create_iterator(parameters, &at) == SUCCESS) {
            for (bool more = true; more;) {
                const char* key = nullptr;
                const char* value = nullptr;
                if (api_.params_iterator_next(at, &key, &value, &more) != SUCCESS || key == nullptr) {
                    break;
                }
                text.append(key).append("=").append(value).append("\n");
            }
            api_.params_destroy_iterator(at);
        }
        return text;
    }

    const Api& api_;
    Settings settings_;
    std::vector<std::pair<uintptr_t, size_t>> memory_;
    Memory kind_ = DRAM;
    uint64_t device_ = 0;
    std::map<uint64_t, std::string> kept_;
    Handle agent_ = nullptr;
    Handle backend_ = nullptr;
    Handle options_ = nullptr;
    const char* failedCall_ = "";
    // far above every file descriptor, which are devices too; never used twice
    uint64_t lastDevice_ = 1ull << 32;
};

}  // namespace nixl
}  // namespace nixlkv

// Threads that help lanes with their batches. A lane always works itself; helpers join only while fewer lanes work than there
// are submitters, so that four busy lanes do not turn into eight threads on two cores.
#pragma once
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace nixlkv {

// Work that several threads do together. `help` returns when there is nothing left to start.
class SharedWork {
  public:
    virtual ~SharedWork() = default;
    virtual void help() = 0;

  private:
    friend class Helpers;
    int wanted_ = 0;
    int helping_ = 0;
};

class Helpers {
  public:
    explicit Helpers(int submitters) : submitters_(submitters) {}

    ~Helpers() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ending_ = true;
        }
        work_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    // Runs `work` on the calling thread and on at most `most` helpers; returns when none of them touches it any more.
    void run(SharedWork& work, int most) {
        int wanted;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            callers_++;
            wanted = std::min(most, submitters_ - callers_ - helping_);
            if (wanted > 0) {
                start(wanted);
                work.wanted_ = wanted;
                open_.push_back(&work);
            }
        }
        for (int i = 0; i < wanted; i++) {
            work_.notify_one();
        }
        work.help();
        std::unique_lock<std::mutex> lock(mutex_);
        callers_--;
        for (size_t i = 0; i < open_.size(); i++) {
            if (open_[i] == &work) {
                open_.erase(open_.begin() + static_cast<long>(i));
                break;
            }
        }
        while (work.helping_ > 0) {
            done_.wait(lock);
        }
    }

  private:
    void start(int wanted) {
        while (static_cast<int>(threads_.size()) < std::min(submitters_ - 1, wanted + helping_)) {
            // signals belong to the JVM's threads
            sigset_t all;
            sigset_t before;
            ::sigfillset(&all);
            ::pthread_sigmask(SIG_SETMASK, &all, &before);
            try {
                threads_.emplace_back([this] { serve(); });
            } catch (const std::system_error&) {
                ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
                return;  // the lane does the work alone
            }
            ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        }
    }

    void serve() {
        ::pthread_setname_np(::pthread_self(), "nixlkv-io");
        std::unique_lock<std::mutex> lock(mutex_);
        while (true) {
            while (open_.empty() && !ending_) {
                work_.wait(lock);
            }
            if (ending_) {
                return;
            }
            SharedWork* work = open_.back();
            if (--work->wanted_ == 0) {
                open_.pop_back();
            }
            work->helping_++;
            helping_++;
            lock.unlock();
            work->help();
            lock.lock();
            helping_--;
            if (--work->helping_ == 0) {
                done_.notify_all();
            }
        }
    }

    const int submitters_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::condition_variable done_;
    std::vector<std::thread> threads_;
    std::vector<SharedWork*> open_;
    int callers_ = 0;
    int helping_ = 0;
    bool ending_ = false;
};

}  // namespace nixlkv

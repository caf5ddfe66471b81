// One directory of a backend: its objects, its temporaries and how files become visible there.
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "descriptor.h"
#include "name.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

namespace nixlkv {

// Bits that rootOpen answers with.
enum Publication : int32_t {
    UNNAMED = 1,      // O_TMPFILE + linkat
    HARD_LINK = 2,    // named temporary + linkat
    NO_REPLACE = 4    // named temporary + renameat2(RENAME_NOREPLACE)
};

class Root {
  public:
    Root(std::string path, std::string temporaries, mode_t fileMode, mode_t directoryMode, int block)
        : path_(std::move(path)), temporaries_(std::move(temporaries)), fileMode_(fileMode),
          directoryMode_(directoryMode), block_(block) {}

    // 0 or an errno.
    int open() {
        Descriptor directory(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!directory.open()) {
            return errno;
        }
        keepDirectory(std::move(directory));
        mountPoint_ = mountPointOf(path_);
        int error = openTemporaries();
        if (error == 0) {
            tryPublications();
        }
        return error;
    }

    int directory() const { return directory_.load(std::memory_order_acquire); }
    int pathBytes() const { return static_cast<int>(path_.size()) + 1; }
    int block() const { return block_; }
    mode_t fileMode() const { return fileMode_; }
    mode_t directoryMode() const { return directoryMode_; }
    int32_t publication() const { return publication_; }
    int temporaries() const { return temporaryFolder_.load(std::memory_order_acquire); }

    // Makes the folder of temporaries and the locked file beside it, the sign that this process lives, again after somebody
    // removed them. `seen` is the descriptor that failed.
    int restoreTemporaries(int seen) {
        std::lock_guard<std::mutex> lock(restoring_);
        return temporaries() != seen ? 0 : makeTemporaries();
    }

    // After a file system was lost under this directory, such as a FUSE mount whose server died: goes on with what is mounted in
    // its place. `seen` is the directory that failed. False if it is the one that is there, or nothing is mounted there.
    bool reopen(int seen) {
        std::lock_guard<std::mutex> lock(restoring_);
        if (directory() != seen) {
            return true;
        }
        Descriptor now(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        struct stat before;
        struct stat after;
        if (!now.open() || mountPointOf(mountPoint_) != mountPoint_ || ::fstat(now.get(), &after) != 0
            || (::fstat(seen, &before) == 0 && before.st_dev == after.st_dev && before.st_ino == after.st_ino)
            || makeTemporaries() != 0) {
            return false;
        }
        keepDirectory(std::move(now));
        return true;
    }

    // A name of a temporary that nobody has used; the letter keeps it apart from those of the Java lane.
    void nextTemporary(char (&name)[32]) {
        std::snprintf(name, sizeof name, "n%llu",
                      static_cast<unsigned long long>(next_.fetch_add(1, std::memory_order_relaxed)));
    }

    // Opens an unnamed or a named temporary for writing; `name` is empty for an unnamed one.
    int openTemporary(bool unnamed, bool direct, char (&name)[32]) {
        for (int attempt = 0;; attempt++) {
            int folder = temporaries();
            int flags = O_WRONLY | O_CLOEXEC | (direct ? O_DIRECT : 0);
            int opened;
            if (unnamed) {
                name[0] = 0;
                opened = ::openat(folder, ".", flags | O_TMPFILE, fileMode_);
            } else {
                nextTemporary(name);
                opened = ::openat(folder, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW, fileMode_);
            }
            if (opened >= 0 || attempt > 0 || !removed(folder, errno) || restoreTemporaries(folder) != 0) {
                return opened;
            }
        }
    }

    // Gives an open file a name; fails with EEXIST when the name is taken.
    int link(int file, int directory, const char* leaf) const {
        if (byDescriptor_) {
            return ::linkat(file, "", directory, leaf, AT_EMPTY_PATH);
        }
        char self[40];
        std::snprintf(self, sizeof self, "/proc/self/fd/%d", file);
        return ::linkat(AT_FDCWD, self, directory, leaf, AT_SYMLINK_FOLLOW);
    }

    // Gives a named temporary its final name unless that is taken (EEXIST); afterwards the temporary is gone.
    int move(const char* temporary, int directory, const char* leaf) const {
        int folder = temporaries();
        if ((publication_ & NO_REPLACE) != 0) {
            return static_cast<int>(
                ::syscall(SYS_renameat2, folder, temporary, directory, leaf, RENAME_NOREPLACE));
        }
        if (::linkat(folder, temporary, directory, leaf, 0) != 0) {
            return -1;
        }
        ::unlinkat(folder, temporary, 0);
        return 0;
    }

    // Makes the directories in which `name` lies. 0 or an errno.
    int makeParents(const char* name) const {
        std::string made;
        for (const char* slash = std::strchr(name, '/'); slash != nullptr; slash = std::strchr(slash + 1, '/')) {
            made.assign(name, slash - name);
            if (::mkdirat(directory(), made.c_str(), directoryMode_) != 0 && errno != EEXIST) {
                return errno;
            }
        }
        return 0;
    }

  private:
    // Whether a file could not be opened because its folder is gone. ext4 says EPERM then to an unnamed one.
    static bool removed(int folder, int error) {
        struct stat seen;
        bool gone = error == ENOENT || (error == EPERM && ::fstat(folder, &seen) == 0 && seen.st_nlink == 0);
        errno = error;
        return gone;
    }

    // Where the file system of `path` is mounted; "/" also if that cannot be told.
    static std::string mountPointOf(const std::string& path) {
        std::string at = path;
        struct stat here;
        struct stat above;
        while (at.size() > 1 && ::stat(at.c_str(), &here) == 0) {
            size_t slash = at.rfind('/');
            std::string parent = slash == 0 ? "/" : at.substr(0, slash);
            if (::stat(parent.c_str(), &above) == 0 && above.st_dev != here.st_dev) {
                return at;
            }
            at = parent;
        }
        return "/";
    }

    // As with the folder of temporaries, one before it stays open.
    void keepDirectory(Descriptor opened) {
        directory_.store(opened.get(), std::memory_order_release);
        opened_.push_back(std::move(opened));
    }

    int makeTemporaries() {
        std::string parent = temporaries_.substr(0, temporaries_.rfind('/'));
        ::mkdir(parent.c_str(), directoryMode_);
        restoreSign();
        if (::mkdir(temporaries_.c_str(), directoryMode_) != 0 && errno != EEXIST) {
            return errno;
        }
        return openTemporaries();
    }

    // A lock of fcntl goes when any descriptor of the file is closed, so this one stays open as long as the root.
    void restoreSign() {
        Descriptor sign(::open((temporaries_ + ".lock").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode_));
        if (sign.open()) {
            struct flock whole = {};
            whole.l_type = F_WRLCK;
            whole.l_whence = SEEK_SET;
            ::fcntl(sign.get(), F_SETLK, &whole);
            opened_.push_back(std::move(sign));
        }
    }

    int openTemporaries() {
        int folder = ::open(temporaries_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) {
            return errno;
        }
        // the old one may be in use by another thread, so it stays open as long as the root
        opened_.emplace_back(folder);
        temporaryFolder_.store(folder, std::memory_order_release);
        return 0;
    }

    void tryPublications() {
        int folder = temporaries();
        char source[32];
        char target[32];
        char other[32];
        nextTemporary(target);
        Descriptor unnamed(openTemporary(true, false, source));
        if (unnamed.open()) {
            byDescriptor_ = ::linkat(unnamed.get(), "", folder, target, AT_EMPTY_PATH) == 0;
            if (byDescriptor_ || link(unnamed.get(), folder, target) == 0) {
                publication_ |= UNNAMED;
                ::unlinkat(folder, target, 0);
            }
        }
        Descriptor named(openTemporary(false, false, source));
        if (!named.open()) {
            return;
        }
        nextTemporary(other);
        if (::linkat(folder, source, folder, other, 0) == 0) {
            publication_ |= HARD_LINK;
            ::unlinkat(folder, other, 0);
        }
        nextTemporary(other);
        if (::syscall(SYS_renameat2, folder, source, folder, other, RENAME_NOREPLACE) == 0) {
            publication_ |= NO_REPLACE;
            ::unlinkat(folder, other, 0);
        } else {
            ::unlinkat(folder, source, 0);
        }
    }

    const std::string path_;
    const std::string temporaries_;
    const mode_t fileMode_;
    const mode_t directoryMode_;
    const int block_;
    std::string mountPoint_;
    std::vector<Descriptor> opened_;
    std::atomic<int> directory_{-1};
    std::atomic<int> temporaryFolder_{-1};
    std::atomic<uint64_t> next_{0};
    std::mutex restoring_;
    bool byDescriptor_ = false;
    int32_t publication_ = 0;
};

}  // namespace nixlkv

// Exercises the shim under AddressSanitizer: driver DIRECTORY. Prints what is broken; exit 0 when nothing is.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "packer.h"

using namespace nixlkv;

static int broken = 0;
static const char* during = "";

#define CHECK(what)                                                                    \
    do {                                                                               \
        if (!(what)) {                                                                 \
            std::printf("%s, line %d: not true: %s\n", during, __LINE__, #what);       \
            broken++;                                                                  \
        }                                                                              \
    } while (false)

constexpr long long SECOND = 1000000000;
constexpr int SIZE = 64 << 10;

struct Store {
    long long memory = calls::mapMemory(32 << 20, 0);
    long long backend;
    long long lane = 0;
    std::vector<Remark> remarks = std::vector<Remark>(2048);
    Counters counters{{0}, {0}, {0}, {0}};
    std::string root;

    Store(int kind, const std::string& directory, int block, int depth = 16) : root(directory) {
        std::string temporaries = directory + "/.nixlkv/test";
        ::mkdir((directory + "/.nixlkv").c_str(), 0750);
        ::mkdir(temporaries.c_str(), 0750);
        backend = calls::backendOpen(kind, 2, depth);
        CHECK(calls::segmentAdd(backend, memory, 32 << 20) == 0);
        CHECK(calls::rootAdd(backend, handleOf(directory.c_str()), handleOf(temporaries.c_str()), 0644, 0750, block) > 0);
        lane = calls::laneOpen(backend);
        CHECK(lane > 0);
    }
    ~Store() {
        calls::laneClose(lane);
        calls::backendClose(backend);
        CHECK(calls::unmapMemory(memory, 32 << 20) == 0);
    }
    char* at(int offset) { return of<char>(memory) + offset; }
    int run(Packer& batch, long long nanos = 30 * SECOND) {
        return calls::execute(lane, handleOf(batch.header()), batch.bytes(), nanos, handleOf(remarks.data()),
                              static_cast<int>(remarks.size()), handleOf(&counters));
    }
};

static void names() {
    during = "names";
    for (std::string good : {"a", "a/b", "..hidden", ".dot", ".nixlkvx", "a/.nixlkv", "\xc3\xbc", "\xf0\x9f\x94\x91"}) {
        CHECK(nameAllowed(good.data(), static_cast<int>(good.size()), 10));
    }
    for (std::string bad : {"", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", ".nixlkv", ".nixlkv/x", "\xff", "\xc3",
                            "\xed\xa0\x80", "\xef\xbf\xbd", "\xc0\xaf"}) {
        CHECK(!nameAllowed(bad.data(), static_cast<int>(bad.size()), 10));
    }
    std::string nul("a\0b", 3);
    CHECK(!nameAllowed(nul.data(), 3, 10));
    CHECK(!nameAllowed(std::string(256, 'x').data(), 256, 10));
}

static void malformed(const std::string& directory) {
    during = "malformed requests";
    Store store(THREADS, directory, 0);
    Packer batch(4);
    batch.start(READ, CREATE, false);
    batch.add("a", 0, 10);
    batch.header()->abi = PACKED_ABI + 1;
    CHECK(store.run(batch) == -EINVAL);
    batch.header()->abi = PACKED_ABI;
    batch.item(0).nameLength = 1 << 30;
    CHECK(store.run(batch) == -EINVAL);
    batch.item(0).nameLength = 1;
    batch.item(0).name = 4;
    CHECK(store.run(batch) == -EINVAL);
    batch.header()->items = 1 << 30;
    CHECK(store.run(batch) == -EINVAL);
    batch.start(READ, CREATE, false);
    batch.add("a", 32 << 20, 10);
    batch.add("a", -5, 10);
    batch.add("a", 0, 0);
    batch.item(1).segment = 7;
    CHECK(store.run(batch) == 3);
    CHECK(store.remarks[0].kind == INVALID && store.remarks[1].step == SLICE && store.remarks[2].step == LENGTH);
}

// 100 objects on a queue of 16, read back, replaced, staged, deleted.
static void roundTrip(int kind, const std::string& directory, int block, const char* label) {
    during = label;
    Store store(kind, directory, block);
    for (int i = 0; i < 100; i++) {
        std::memset(store.at(i * SIZE), i + 1, SIZE);
    }
    Packer batch(256);
    batch.start(WRITE, CREATE, false);
    for (int i = 0; i < 100; i++) {
        batch.add("d" + std::to_string(i % 3) + "/o" + std::to_string(i), i * SIZE, SIZE - i % 2);
    }
    CHECK(store.run(batch) == 0);
    for (int i = 0; i < 100; i++) {
        CHECK(batch.item(i).result == DONE);
    }
    CHECK(block == 0 || store.counters.direct == 50);
    std::memset(store.at(0), 0, 100 * SIZE);
    batch.header()->op = READ;
    CHECK(store.run(batch) == 0);
    for (int i = 0; i < 100; i++) {
        CHECK(batch.item(i).result == DONE && store.at(i * SIZE)[SIZE - 2] == i + 1);
    }
    batch.header()->op = WRITE;
    CHECK(store.run(batch) == 0 && batch.item(7).result == ALREADY_PRESENT);
    batch.header()->mode = REPLACE;
    CHECK(store.run(batch) == 0 && batch.item(7).result == DONE);

    batch.start(STAGE, CREATE, false);
    batch.add("s1", 0, SIZE);
    batch.add("s2", 0, SIZE);
    CHECK(store.run(batch) == 0 && batch.item(0).result == DONE);
    long long first = batch.item(0).slot;
    long long second = batch.item(1).slot;
    batch.start(PUBLISH_STAGED, CREATE, false);
    batch.add("s1", 0, SIZE, first);
    batch.add("s1", 0, SIZE, first + 1000);
    CHECK(store.run(batch) == 1 && batch.item(0).result == DONE && store.remarks[0].step == TOKEN);
    batch.start(DISCARD, CREATE, false);
    batch.add("s2", 0, 0, second);
    CHECK(store.run(batch) == 0 && batch.item(0).result == DONE);

    batch.start(QUERY, CREATE, false);
    batch.add("s1", 0, 0);
    batch.add("s2", 0, 0);
    batch.add("d0", 0, 0);
    batch.add("s1/x", 0, 0);
    CHECK(store.run(batch) == 0 && batch.item(0).stored == SIZE && batch.item(1).result == MISSING);
    CHECK(batch.item(2).result == MISSING && batch.item(3).result == MISSING);
    batch.start(READ, CREATE, false);
    batch.add("s1", 0, SIZE / 2);
    batch.add("none", 0, SIZE);
    batch.add("../none", 0, SIZE);
    CHECK(store.run(batch) == 1 && batch.item(0).result == WRONG_SIZE && batch.item(0).stored == SIZE);
    CHECK(batch.item(1).result == MISSING && store.remarks[0].step == NAME);

    batch.start(WRITE, CREATE, false);
    batch.add("late", 0, SIZE);
    CHECK(store.run(batch, -1) == 1 && store.remarks[0].kind == TIMED_OUT);
    calls::backendStop(store.backend);
    CHECK(store.run(batch) == 1 && store.remarks[0].kind == UNAVAILABLE);
}

static void links(const std::string& directory) {
    during = "symbolic links";
    Store store(THREADS, directory, 0);
    std::string inside = directory + "/linked";
    CHECK(::symlink("/etc", inside.c_str()) == 0);
    CHECK(::symlink("/etc/hostname", (directory + "/file").c_str()) == 0);
    Packer batch(8);
    batch.start(READ, CREATE, false);
    batch.add("linked/hostname", 0, 10);
    batch.add("file", 0, 10);
    CHECK(store.run(batch) == 2 && store.remarks[0].error == EXDEV && store.remarks[1].error == ELOOP);
    batch.start(WRITE, CREATE, false);
    batch.add("linked/nixlkv-escaped", 0, 10);
    CHECK(store.run(batch) == 1 && store.remarks[0].error == EXDEV);
}

static void pools(int kind, const std::string& directory, const char* label) {
    during = label;
    Store store(kind, directory, 4096);
    std::string slab = directory + "/slab";
    Descriptor file(::open(slab.c_str(), O_RDWR | O_CREAT, 0644));
    CHECK(::ftruncate(file.get(), 4 * SIZE) == 0);
    long long pool = calls::poolNew(4, SIZE);
    CHECK(calls::poolFile(pool, handleOf(slab.c_str()), 4096) == 0);
    long long handle = calls::poolReady(store.backend, pool);
    std::memset(store.at(0), 7, SIZE);
    Packer batch(8);
    batch.start(WRITE, REPLACE, false, handle);
    batch.add("", 0, SIZE, 3);
    batch.add("", 0, 100, 1);
    batch.add("", 0, SIZE, 4);
    CHECK(store.run(batch) == 1 && store.remarks[0].step == SLOT && batch.item(0).result == DONE);
    batch.start(READ, REPLACE, false, handle);
    batch.add("", SIZE, SIZE, 3);
    CHECK(store.run(batch) == 0 && store.at(SIZE)[SIZE - 1] == 7);
    calls::poolClose(store.backend, handle);
    CHECK(store.run(batch) == 1 && store.remarks[0].step == POOL);
}

// A file for each slot, one of which was lost.
static void separateSlots(int kind, const std::string& directory, const char* label) {
    during = label;
    Store store(kind, directory, 4096);
    long long pool = calls::poolNew(3, SIZE);
    for (int slot = 0; slot < 3; slot++) {
        std::string path = slot == 1 ? "" : directory + "/slot" + std::to_string(slot);
        Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT, 0644));
        CHECK(slot == 1 || ::ftruncate(file.get(), SIZE) == 0);
        CHECK(calls::poolFile(pool, handleOf(path.c_str()), 4096) == 0);
    }
    long long handle = calls::poolReady(store.backend, pool);
    CHECK(handle > 0);
    Packer batch(8);
    batch.start(WRITE, REPLACE, false, handle);
    for (int slot = 0; slot < 3; slot++) {
        std::memset(store.at(slot * SIZE), slot + 1, SIZE);
        batch.add("", slot * SIZE, slot == 2 ? 100 : SIZE, slot);
    }
    CHECK(store.run(batch) == 1 && store.remarks[0].item == 1 && store.remarks[0].kind == IN_JAVA);
    batch.start(READ, REPLACE, false, handle);
    batch.add("", 4 * SIZE, SIZE, 0);
    batch.add("", 5 * SIZE, 100, 2);
    CHECK(store.run(batch) == 0 && store.at(4 * SIZE)[SIZE - 1] == 1 && store.at(5 * SIZE)[99] == 3);
    calls::poolClose(store.backend, handle);
    long long wrong = calls::poolNew(3, SIZE);
    CHECK(calls::poolFile(wrong, handleOf(""), 0) == 0 && calls::poolFile(wrong, handleOf(""), 0) == 0);
    CHECK(calls::poolReady(store.backend, wrong) == -EINVAL);
    calls::poolDrop(wrong);
}

// Stopping in the middle: every item ends once, and what is done is whole.
static void stopping(int kind, const std::string& directory, const char* label) {
    during = label;
    for (int round = 0; round < 20; round++) {
        Store store(kind, directory, 0);
        Packer batch(256);
        batch.start(WRITE, REPLACE, false);
        for (int i = 0; i < 200; i++) {
            batch.add("r" + std::to_string(i), i * SIZE, SIZE);
        }
        std::thread other([&store, round] {
            std::this_thread::sleep_for(std::chrono::microseconds(round * 300));
            calls::backendStop(store.backend);
        });
        int remarks = store.run(batch);
        other.join();
        int done = 0;
        for (int i = 0; i < 200; i++) {
            done += batch.item(i).result == DONE;
        }
        CHECK(done + remarks == 200);
    }
}

// What changes limits for good runs in a process of its own, started anew: glibc's aio does not survive a fork.
static int inChild(const char* program, const char* work, const std::string& directory) {
    std::fflush(stdout);
    pid_t child = ::fork();
    if (child == 0) {
        ::execl(program, program, directory.c_str(), work, static_cast<char*>(nullptr));
        ::_exit(254);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

// With a limit of 24 files a queue of 64 must still carry out 200 items; with none left each item says so.
static int fewFiles(const std::string& directory) {
    during = "few descriptors";
    for (int kind : {THREADS, URING, AIO, POSIX_AIO}) {
        if (calls::engineProblem(kind) != 0) {
            continue;
        }
        Store store(kind, directory, 0, 64);
        struct rlimit limit;
        ::getrlimit(RLIMIT_NOFILE, &limit);
        struct rlimit low = limit;
        low.rlim_cur = 24;
        CHECK(::setrlimit(RLIMIT_NOFILE, &low) == 0);
        Packer batch(256);
        batch.start(WRITE, REPLACE, false);
        for (int i = 0; i < 200; i++) {
            batch.add("f" + std::to_string(i), i * SIZE, SIZE);
        }
        CHECK(store.run(batch) == 0);
        low.rlim_cur = 3;
        CHECK(::setrlimit(RLIMIT_NOFILE, &low) == 0);
        batch.header()->op = READ;
        CHECK(store.run(batch) == 200 && store.remarks[5].kind == UNAVAILABLE && store.remarks[5].error == EMFILE);
        ::setrlimit(RLIMIT_NOFILE, &limit);
        CHECK(store.run(batch) == 0);
    }
    return broken;
}

static int withoutRing() {
    during = "seccomp";
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        return 0;  // not possible here
    }
    CHECK(calls::engineProblem(URING) == EPERM);
    CHECK(calls::engineProblem(THREADS) == 0);
    long long backend = calls::backendOpen(URING, 2, 16);
    CHECK(calls::laneOpen(backend) == -EPERM);
    calls::backendClose(backend);
    return broken;
}

// A limit of file size gives a short write first, then EFBIG.
static int tooLong(const std::string& directory) {
    during = "short writes";
    ::signal(SIGXFSZ, SIG_IGN);
    for (int kind : {THREADS, URING, AIO, POSIX_AIO}) {
        if (calls::engineProblem(kind) != 0) {
            continue;
        }
        Store store(kind, directory, 0);
        struct rlimit limit = {SIZE / 2, RLIM_INFINITY};
        CHECK(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
        Packer batch(4);
        batch.start(WRITE, REPLACE, false);
        batch.add("long", 0, SIZE);
        batch.add("short", 0, SIZE / 2);
        CHECK(store.run(batch) == 1 && store.remarks[0].error == EFBIG && batch.item(1).result == DONE);
        limit.rlim_cur = RLIM_INFINITY;
        ::setrlimit(RLIMIT_FSIZE, &limit);
        batch.header()->op = QUERY;
        CHECK(store.run(batch) == 0 && batch.item(0).result == MISSING);
    }
    return broken;
}

static void errors() {
    during = "errno";
    struct {
        int error;
        int status;
    } meaning[] = {{ENOSPC, NO_SPACE}, {EDQUOT, NO_SPACE}, {EACCES, DENIED}, {EPERM, DENIED}, {EROFS, DENIED},
                   {ENAMETOOLONG, INVALID}, {EINVAL, INVALID}, {EMFILE, UNAVAILABLE}, {ENFILE, UNAVAILABLE},
                   {ENOENT, MISSING}, {EIO, FAILED}};
    for (const auto& each : meaning) {
        CHECK(statusOf(each.error) == each.status);
    }
    char words[64];
    calls::errorText(ENOSPC, handleOf(words), sizeof words);
    CHECK(std::string(words) == "No space left on device");
}

int main(int count, char** arguments) {
    if (count < 2) {
        std::printf("usage: driver DIRECTORY [few | long | seccomp]\n");
        return 2;
    }
    std::string base = arguments[1];
    std::string work = count > 2 ? arguments[2] : "";
    if (!work.empty()) {
        return work == "few" ? fewFiles(base) : work == "long" ? tooLong(base) : withoutRing();
    }
    auto fresh = [&base](const std::string& name) {
        std::string directory = base + "/" + name;
        ::mkdir(directory.c_str(), 0755);
        return directory;
    };
    names();
    errors();
    malformed(fresh("malformed"));
    links(fresh("links"));
    const char* labels[] = {"threads", "uring", "aio", "posix_aio"};
    for (int kind = THREADS; kind <= POSIX_AIO; kind++) {
        if (calls::engineProblem(kind) != 0) {
            std::printf("skipped: %s\n", labels[kind]);
            continue;
        }
        std::string label = labels[kind];
        roundTrip(kind, fresh(label + "-buffered"), 0, labels[kind]);
        roundTrip(kind, fresh(label + "-direct"), 4096, labels[kind]);
        pools(kind, fresh(label + "-pool"), labels[kind]);
        separateSlots(kind, fresh(label + "-files"), labels[kind]);
        stopping(kind, fresh(label + "-stop"), labels[kind]);
    }
    broken += inChild(arguments[0], "few", fresh("few"));
    broken += inChild(arguments[0], "long", fresh("long"));
    broken += inChild(arguments[0], "seccomp", base);
    return broken == 0 ? 0 : 1;
}

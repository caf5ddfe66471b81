// Whether an object name may become a path under a root, whatever the callers have checked before.
#pragma once
#include <cstdint>
#include <cstring>

namespace nixlkv {

constexpr int MAX_NAME_BYTES = 3800;
constexpr int MAX_PART_BYTES = 255;
constexpr char RESERVED[] = ".nixlkv";

// Length of the valid UTF-8 sequence at `at`, 0 if there is none. U+FFFD is refused: it stands for bytes that were lost.
inline int utf8Sequence(const unsigned char* at, const unsigned char* end) {
    unsigned char first = *at;
    int length = first < 0x80 ? 1 : first >= 0xc2 && first <= 0xdf ? 2 : (first & 0xf0) == 0xe0 ? 3
        : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
    if (length == 0 || end - at < length) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (first == 0xe0 && at[1] < 0xa0) || (first == 0xf0 && at[1] < 0x90);
    bool beyond = (first == 0xed && at[1] > 0x9f) || (first == 0xf4 && at[1] > 0x8f);
    bool replacement = first == 0xef && at[1] == 0xbf && at[2] == 0xbd;
    return overlong || beyond || replacement ? 0 : length;
}

inline bool partAllowed(const char* part, int64_t bytes, bool first) {
    if (bytes == 0 || bytes > MAX_PART_BYTES) {
        return false;
    }
    if (part[0] == '.' && (bytes == 1 || (bytes == 2 && part[1] == '.'))) {
        return false;
    }
    return !(first && bytes == static_cast<int64_t>(sizeof(RESERVED)) - 1 && std::memcmp(part, RESERVED, bytes) == 0);
}

inline bool nameAllowed(const char* name, int32_t bytes, int32_t rootBytes) {
    if (bytes < 1 || bytes > MAX_NAME_BYTES || rootBytes + bytes + 1 > 4095) {
        return false;
    }
    const auto* at = reinterpret_cast<const unsigned char*>(name);
    const unsigned char* end = at + bytes;
    const unsigned char* part = at;
    bool first = true;
    while (at < end) {
        if (*at == 0) {
            return false;
        }
        if (*at == '/') {
            if (!partAllowed(reinterpret_cast<const char*>(part), at - part, first)) {
                return false;
            }
            first = false;
            part = ++at;
            continue;
        }
        int sequence = utf8Sequence(at, end);
        if (sequence == 0) {
            return false;
        }
        at += sequence;
    }
    return partAllowed(reinterpret_cast<const char*>(part), end - part, first);
}

}  // namespace nixlkv

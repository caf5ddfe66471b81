package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.FileTransfers.Kind;
import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.spi.SpiVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether native engines can run here, in words. Thread-safe. */
public final class NativeEngines {
    private static final int EPERM = 1;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int ENOSYS = 38;
    private static final Path URING_SWITCH = Path.of("/proc/sys/kernel/io_uring_disabled");

    private NativeEngines() {}

    /** Why {@code kind} cannot be used in this process, as a sentence a person can act on; empty when it can. Never throws. */
    public static Optional<String> problem(Kind kind) {
        Optional<String> absent = NativeIo.unavailableReason();
        if (absent.isPresent()) {
            return absent;
        }
        if (NativeIo.packedAbi() != SpiVersion.PACKED_ABI) {
            return Optional.of("the native library speaks packed ABI " + NativeIo.packedAbi() + ", this host "
                    + SpiVersion.PACKED_ABI + "; put nixlkv-native-io and nixlkv-spi of one version on the class path");
        }
        int errno = kind.problem();
        return errno == 0 ? Optional.empty() : Optional.of(refusal(kind, errno));
    }

    /** What it means that the kernel refuses the queue of {@code kind}. */
    static String refusal(Kind kind, int errno) {
        String words = NativeIo.errorText(errno);
        return switch (kind) {
            case URING -> uringRefusal(errno, words);
            case AIO ->
                errno == EAGAIN
                        ? "the system's Linux AIO requests are used up (" + words + "); raise fs.aio-max-nr"
                        : "the kernel refuses io_setup: " + words + "; use engine = \"threads\"";
            default -> words;
        };
    }

    private static String uringRefusal(int errno, String words) {
        String instead = " or use engine = \"threads\"";
        if (errno == EPERM) {
            String disabled = disabled();
            return disabled.equals("0") || disabled.isEmpty()
                    ? "io_uring is refused (" + words
                            + "), most likely by a seccomp profile; allow io_uring_setup, io_uring_enter and"
                            + " io_uring_register in it" + instead
                    : "io_uring is disabled by the sysctl kernel.io_uring_disabled = " + disabled + " (" + words
                            + "); set it to 0" + instead;
        }
        if (errno == ENOSYS) {
            return "this kernel has no io_uring, or a seccomp profile hides it (" + words + "); Linux 5.6 is needed;"
                    + instead.substring(3);
        }
        if (errno == ENOMEM) {
            return "no memory for a ring (" + words + "): the limit of locked memory is " + NativeIo.lockedMemoryLimit()
                    + " bytes; raise ulimit -l, lower kernel_queue_size" + instead;
        }
        return "io_uring cannot be set up: " + words + ";" + instead.substring(3);
    }

    private static String disabled() {
        try {
            return Files.readString(URING_SWITCH).strip();
        } catch (IOException older) {
            return "";
        }
    }

    /** Why a ring works without a registered arena. */
    static String registrationRefused(int errno) {
        String words = NativeIo.errorText(errno);
        return errno == ENOMEM
                ? words + ": the limit of locked memory is " + NativeIo.lockedMemoryLimit()
                        + " bytes and each lane pins the whole arena; raise ulimit -l or make arena_gb smaller"
                : words;
    }
}

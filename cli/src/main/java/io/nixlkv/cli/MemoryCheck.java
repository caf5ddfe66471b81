package io.nixlkv.cli;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Refuses an arena that this machine or container could never hold, before the kernel ends the process for it. */
final class MemoryCheck {
    /** Asking costs start-up time, and nobody has less. */
    private static final long SURELY_THERE = 1L << 30;

    private MemoryCheck() {}

    /** @throws UsageException if {@code bytes} are more than all memory there is */
    static void require(long bytes, String advice) {
        if (bytes <= SURELY_THERE) {
            return;
        }
        long total =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        if (bytes > total) {
            throw new UsageException(
                    "this needs " + bytes + " bytes of memory, and there are " + total + " here; " + advice);
        }
    }
}

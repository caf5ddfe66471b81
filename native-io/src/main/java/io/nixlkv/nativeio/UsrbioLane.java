package io.nixlkv.nativeio;

import java.lang.ref.Reference;

/** Two rings of 3FS and a shared buffer. One thread at a time. */
public final class UsrbioLane implements RequestLane {
    private long handle;

    UsrbioLane(long handle) {
        this.handle = handle;
    }

    @Override
    public void files(TransferRequest request) {
        try {
            UsrbioCalls.files(handle, request.address());
        } finally {
            Reference.reachabilityFence(request);
        }
    }

    @Override
    public long keep(boolean direct, String path) {
        try (NativeText name = NativeText.of(path)) {
            return NativeException.check(
                    UsrbioCalls.laneKeep(handle, name.address()), "cannot register " + path + " with 3FS");
        }
    }

    @Override
    public void drop(long device) {
        UsrbioCalls.laneDrop(handle, device);
    }

    @Override
    public void close() {
        if (handle != 0) {
            UsrbioCalls.laneClose(handle);
            handle = 0;
        }
    }
}

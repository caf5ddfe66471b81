package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlInstallation;
import io.nixlkv.nativeio.NixlSearch;
import java.util.Optional;
import java.util.function.Function;

/** Whether engine {@code nixl} can serve, found out by looking at files only. Thread-safe. */
public final class NixlEngine {
    private NixlEngine() {}

    /** NIXL, or why it cannot be used. */
    static final class Found {
        private final NixlInstallation installation;
        private final String problem;

        private Found(NixlInstallation installation, String problem) {
            this.installation = installation;
            this.problem = problem;
        }

        <X extends RuntimeException> NixlInstallation orElseThrow(Function<String, X> failure) {
            if (installation == null) {
                throw failure.apply(problem);
            }
            return installation;
        }
    }

    static Found installation(String plugin) {
        Optional<String> absent = NativeIo.unavailableReason();
        if (absent.isPresent()) {
            return new Found(null, absent.get());
        }
        NixlSearch.Outcome outcome = NixlSearch.run();
        if (outcome.installation().isEmpty()) {
            return new Found(null, outcome.reason());
        }
        Optional<String> lacking = outcome.installation().get().lacking(plugin);
        return lacking.isPresent()
                ? new Found(null, lacking.get())
                : new Found(outcome.installation().get(), null);
    }

    /**
     * Why NIXL's plugin cannot be used in this process, as a sentence a person can act on; empty when nothing speaks against it.
     * Loads nothing: whether the plugin's own libraries and devices are there is {@link NixlCatalog}'s question.
     */
    public static Optional<String> problem(String plugin) {
        return Optional.ofNullable(installation(plugin).problem);
    }
}

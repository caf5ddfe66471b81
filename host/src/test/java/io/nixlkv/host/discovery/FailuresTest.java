package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Whose fault a class that is missing is. */
class FailuresTest {
    private static final String OF_SUPPORT = "io.nixlkv.plugin.support.object.ObjectStore";

    @Test
    void withoutPluginSupportItSaysWhatToAdd() {
        assertEquals(
                "but nixlkv-plugin-support is not on the class path; add it beside nixlkv-host, in the same version",
                Failures.whyMissing(OF_SUPPORT, false));
        assertFalse(Failures.hasSupport(ClassLoader.getPlatformClassLoader()));
    }

    @Test
    void withItThePluginIsOfAnotherVersion() {
        assertTrue(Failures.hasSupport(getClass().getClassLoader()));
        assertTrue(Failures.whyMissing(OF_SUPPORT, true).endsWith("the plugin was built for another"));
        assertTrue(Failures.whyMissing("com.acme.Sdk", true).contains("bundle it"));
    }
}

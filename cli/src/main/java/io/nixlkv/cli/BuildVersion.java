package io.nixlkv.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar's manifest states. */
final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = BuildVersion.class.getPackage().getImplementationVersion();
        return new String[] {"nixlkv " + (version == null ? "(unpackaged)" : version)};
    }
}

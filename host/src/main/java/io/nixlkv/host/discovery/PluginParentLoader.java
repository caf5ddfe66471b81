package io.nixlkv.host.discovery;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;

/**
 * The parent of every plugin's class loader: the JDK's own classes and the {@link SharedPackages}, nothing else. The host, its
 * libraries and what lies on the class path beside them stay invisible, their {@code META-INF/services} files too.
 */
final class PluginParentLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final ClassLoader host;

    /** @param host the loader that the shared packages come from */
    PluginParentLoader(ClassLoader host) {
        super("nixlkv-plugin-parent", ClassLoader.getPlatformClassLoader());
        this.host = host;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return SharedPackages.contain(name) ? host.loadClass(name) : super.loadClass(name, resolve);
    }

    @Override
    public URL getResource(String name) {
        return SharedPackages.containResource(name) ? host.getResource(name) : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return SharedPackages.containResource(name) ? host.getResources(name) : super.getResources(name);
    }
}

package io.nixlkv.host.discovery;

import io.nixlkv.spi.StorageStrategy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles sources in memory, against the SPI. */
final class SourceCompiler {
    private SourceCompiler() {}

    /** Class files by class name, nested classes included. */
    static Map<String, byte[]> compile(Collection<StrategySource> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
                MemoryOutput output = new MemoryOutput(standard)) {
            standard.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of(homeOf(StorageStrategy.class)));
            List<SourceText> units = sources.stream().map(SourceText::new).toList();
            List<String> options = List.of("-proc:none", "--release", "17");
            if (!compiler.getTask(messages, output, null, options, null, units).call()) {
                throw new IllegalArgumentException("a test source does not compile:\n" + messages);
            }
            return output.classes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The jar or folder that {@code type} was loaded from. */
    static Path homeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(StrategySource source) {
            super(URI.create("string:///" + source.className().replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class ClassBytes extends SimpleJavaFileObject {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        ClassBytes(String className) {
            super(URI.create("bytes:///" + className.replace('.', '/') + ".class"), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    private static final class MemoryOutput extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ClassBytes> written = new TreeMap<>();

        MemoryOutput(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return written.computeIfAbsent(className, ClassBytes::new);
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new TreeMap<>();
            written.forEach((name, file) -> classes.put(name, file.bytes.toByteArray()));
            return classes;
        }
    }
}

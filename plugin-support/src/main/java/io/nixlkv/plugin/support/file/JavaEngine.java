package io.nixlkv.plugin.support.file;

import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.Lane;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Engine {@code nio}: pure Java. */
final class JavaEngine implements FileEngine {
    private final StagedObjects staged = new StagedObjects();
    private final List<FileRoot> roots;

    JavaEngine(List<FileRoot> roots) {
        this.roots = roots;
    }

    @Override
    public Lane openLane(FileBackend backend) {
        return new FileLane(backend);
    }

    @Override
    public long openPool(PoolForm form, List<PoolFile> files) {
        return 0;
    }

    @Override
    public void closePool(long handle) {}

    @Override
    public Staged takeStaged(long token) {
        return staged.take(token);
    }

    @Override
    public long stage(Staged object) {
        return staged.add(object);
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        roots.forEach(root -> facts.put("publication[" + root.path() + "]", root.describePublication()));
        return facts;
    }

    @Override
    public void stop() {}

    @Override
    public void close() {
        staged.discardAll();
    }
}

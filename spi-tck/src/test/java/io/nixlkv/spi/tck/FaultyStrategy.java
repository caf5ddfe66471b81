package io.nixlkv.spi.tck;

import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import io.nixlkv.spi.tck.files.PlainFiles;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Plain files with {@link FaultyLane}s. */
record FaultyStrategy(FaultyLane.Fault fault) implements StorageStrategy {
    private static final StorageStrategy RIGHT = new PlainFiles();

    @Override
    public StrategyInfo info() {
        return RIGHT.info();
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        return RIGHT.probe(config);
    }

    @Override
    public StorageBackend open(OpenContext context) {
        return new Faulty(RIGHT.open(context), context.arena(), fault);
    }

    private record Faulty(StorageBackend right, MemoryArena arena, FaultyLane.Fault fault) implements StorageBackend {
        @Override
        public Lane openLane() {
            return new FaultyLane(right.openLane(), arena, fault);
        }

        @Override
        public SlotPool openPool(String name, int count, int slotBytes) {
            return right.openPool(name, count, slotBytes);
        }

        @Override
        public SlotPool openPool(String name, int count, int slotBytes, PoolLayout layout) {
            return right.openPool(name, count, slotBytes, layout);
        }

        @Override
        public void list(int root, String prefix, long deadline, ObjectVisitor visitor) {
            right.list(root, prefix, deadline, visitor);
        }

        @Override
        public boolean drain(long deadline) {
            // A lane's late work shows itself before this says that nothing is left.
            LockSupport.parkNanos(100_000_000);
            return right.drain(deadline);
        }

        @Override
        public void close() {
            right.close();
        }
    }
}

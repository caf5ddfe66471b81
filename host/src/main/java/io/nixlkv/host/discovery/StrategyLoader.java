package io.nixlkv.host.discovery;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyInfo;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes one strategy from the name of its class. Whatever a plugin throws meanwhile, errors included, becomes the reason of a
 * {@link RefusedException}: one bad plugin must not cost another.
 */
final class StrategyLoader {
    private StrategyLoader() {}

    /** Loads, initialises and instantiates {@code className}, which {@code loader} alone or its parents define. */
    static StorageStrategy instance(ClassLoader loader, String className) throws RefusedException {
        Class<?> type = loaded(loader, className);
        if (!StorageStrategy.class.isAssignableFrom(type)) {
            throw new RefusedException("class " + className + " of " + JarInspection.SERVICES + " does not implement "
                    + StorageStrategy.class.getName());
        }
        try {
            Class.forName(className, true, loader);
        } catch (ExceptionInInitializerError thrown) {
            throw refused("the static initialiser of", className, causeOf(thrown));
        } catch (Throwable thrown) {
            throw refused("the static initialiser of", className, thrown);
        }
        try {
            return (StorageStrategy) type.getConstructor().newInstance();
        } catch (InvocationTargetException thrown) {
            throw refused("the constructor of", className, causeOf(thrown));
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException unusable) {
            throw new RefusedException(
                    "class " + className + " must be public, not abstract, with a public no-argument constructor",
                    unusable);
        } catch (Throwable thrown) {
            throw refused("the constructor of", className, thrown);
        }
    }

    /** What the strategy says about itself. */
    static StrategyInfo info(StorageStrategy strategy) throws RefusedException {
        String className = strategy.getClass().getName();
        StrategyInfo info;
        try {
            info = strategy.info();
        } catch (Throwable thrown) {
            throw refused("info() of", className, thrown);
        }
        if (info == null) {
            throw new RefusedException("info() of " + className + " returned null");
        }
        return info;
    }

    /** The strategy that {@code strategy} makes for {@code name}, if any. */
    static Optional<StorageStrategy> adopted(StorageStrategy strategy, String name) throws RefusedException {
        try {
            return Objects.requireNonNull(strategy.adopt(name), "adopt(name) returned null");
        } catch (Throwable thrown) {
            Class<?> type = strategy instanceof GuardedStrategy guarded
                    ? guarded.plugin().getClass()
                    : strategy.getClass();
            throw refused("adopt(\"" + name + "\") of", type.getName(), thrown);
        }
    }

    private static Class<?> loaded(ClassLoader loader, String className) throws RefusedException {
        try {
            return Class.forName(className, false, loader);
        } catch (ClassNotFoundException absent) {
            throw new RefusedException(
                    JarInspection.SERVICES + " names class " + className + ", which the jar does not contain", absent);
        } catch (Throwable thrown) {
            throw refused("loading", className, thrown);
        }
    }

    private static Throwable causeOf(Throwable wrapper) {
        return wrapper.getCause() == null ? wrapper : wrapper.getCause();
    }

    private static RefusedException refused(String doing, String className, Throwable thrown) {
        return new RefusedException(Failures.reason(doing, className, thrown), thrown);
    }
}

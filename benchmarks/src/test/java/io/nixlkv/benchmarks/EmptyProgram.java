package io.nixlkv.benchmarks;

/** Does nothing: the yardstick for how long a Java program takes to start and end. */
public final class EmptyProgram {
    private EmptyProgram() {}

    /** @param arguments ignored */
    public static void main(String[] arguments) {}
}

/** What the Java side of a call costs, measured with JMH: {@code benchmarks/jmh}. */
package io.nixlkv.benchmarks.jmh;

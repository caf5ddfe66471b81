/** What a store did, in sums: shown by {@code status}, and as meters of Micrometer where an application has it (docs/metrics.md). */
package io.nixlkv.host.metrics;

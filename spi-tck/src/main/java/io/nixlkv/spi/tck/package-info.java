/**
 * The contract suite that every storage strategy and engine passes. A vendor extends {@link io.nixlkv.spi.tck.StorageContract}
 * with a {@link io.nixlkv.spi.tck.ContractSetup}, about twenty lines, and runs it with JUnit.
 *
 * <p>Nothing is ever disabled. A feature that an engine declares is proved; one that it does not declare must be refused.
 */
package io.nixlkv.spi.tck;

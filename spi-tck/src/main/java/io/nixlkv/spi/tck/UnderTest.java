package io.nixlkv.spi.tck;

/** What every part of the suite stands on. */
interface UnderTest {
    /** The open store of this test, empty when the test starts. */
    ContractStore store();
}

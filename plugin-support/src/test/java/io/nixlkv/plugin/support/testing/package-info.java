/** Real servers, faults before them and certificates, for the tests of every object store. Published as a test jar. */
package io.nixlkv.plugin.support.testing;

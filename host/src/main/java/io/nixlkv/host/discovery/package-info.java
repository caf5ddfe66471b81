/**
 * Finds storage strategies: on the class path and in the jars of a plugins folder, and judges whether an engine may carry a
 * store.
 *
 * <p>PF4J gives the class loaders and the order of loading; it is not part of the public shape. A plugin sees the JDK, the
 * packages named in {@link io.nixlkv.host.discovery.SharedPackages} and its own jar, nothing else.
 */
package io.nixlkv.host.discovery;

/**
 * Objects as files in ordinary directories, in pure Java: names, publication, direct I/O, slots and listing. Strategies whose
 * engine is a directory open a {@link io.nixlkv.plugin.support.file.FileBackend}.
 *
 * <p>Under every directory the folder {@code .nixlkv} holds what is not an object: {@code <instance>.lock}, held while an
 * instance lives, {@code <instance>/} with its temporaries, and {@code pools/}.
 */
package io.nixlkv.plugin.support.file;

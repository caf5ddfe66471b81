package io.nixlkv.host.layout;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java platform has. */
final class Sha256 {
    static final int BYTES = 32;

    private Sha256() {}

    static byte[] of(byte[] data, int from, int to) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(data, from, to - from);
            return digest.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("a Java platform without SHA-256", impossible);
        }
    }
}

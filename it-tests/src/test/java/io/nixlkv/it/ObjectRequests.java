package io.nixlkv.it;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What tests do with one bucket or container behind the product's back. Failures are assertion errors. */
interface ObjectRequests {
    /** Asks for the bucket or container once. @return the HTTP status, 200 or 201 if it was made */
    int createPlace();

    /** Writes a whole object. */
    void put(String key, byte[] value);

    /** Reads a whole object that must be there. */
    byte[] get(String key);

    /** A key as the path of a URL: everything but unreserved characters and slashes is escaped. */
    static String escaped(String key) {
        StringBuilder path = new StringBuilder();
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0);
            path.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
        }
        return path.toString();
    }

    /** HMAC-SHA256 of a text. */
    static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }
}

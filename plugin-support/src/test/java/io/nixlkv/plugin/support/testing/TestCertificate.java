package io.nixlkv.plugin.support.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A self-signed certificate made by {@code keytool}, and a TLS context that presents it.
 *
 * @param pem the certificate as a PEM file
 */
public record TestCertificate(Path pem, SSLContext context) {
    private static final char[] PASSWORD = "for-this-test".toCharArray();

    /** @param names such as {@code ip:127.0.0.1,dns:localhost} */
    public static TestCertificate make(Path directory, String name, String names)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "kv",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + names,
                        "-ext",
                        "bc=ca:true",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD)))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed: " + Files.readString(directory.resolve(name + ".log")));
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        Path pem = directory.resolve(name + ".pem");
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(store.getCertificate("kv").getEncoded());
        Files.writeString(pem, "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return new TestCertificate(pem, context);
    }
}

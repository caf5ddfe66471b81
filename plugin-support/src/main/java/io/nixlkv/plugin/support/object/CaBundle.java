package io.nixlkv.plugin.support.object;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.TrustManagerFactory;

/** The certificates of a {@code ca_bundle}, which are trusted instead of the JVM's own. Immutable. */
public final class CaBundle {
    private final Collection<? extends Certificate> certificates;

    private CaBundle(Collection<? extends Certificate> certificates) {
        this.certificates = certificates;
    }

    /**
     * Reads a PEM file of one certificate or several.
     *
     * @throws IllegalArgumentException with a sentence if it is missing, no file, empty or not PEM
     */
    public static CaBundle read(String text) {
        byte[] bytes;
        try {
            Path path = Path.of(text);
            if (!Files.isRegularFile(path)) {
                throw new IllegalArgumentException("ca_bundle " + text + " is not a file; name a PEM file");
            }
            bytes = Files.readAllBytes(path);
        } catch (InvalidPathException | IOException unreadable) {
            throw new IllegalArgumentException("ca_bundle " + text + " cannot be read: " + unreadable.getMessage());
        }
        if (bytes.length == 0) {
            throw new IllegalArgumentException("ca_bundle " + text + " is empty; name a PEM file with certificates");
        }
        try {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes));
            if (found.isEmpty()) {
                throw new IllegalArgumentException("ca_bundle " + text + " holds no certificate; name a PEM file");
            }
            return new CaBundle(found);
        } catch (GeneralSecurityException notPem) {
            throw new IllegalArgumentException(
                    "ca_bundle " + text + " is not a PEM file with certificates: " + notPem.getMessage());
        }
    }

    /** How many certificates it holds. */
    public int size() {
        return certificates.size();
    }

    /** Trust in exactly these certificates. Host names are still checked by the HTTP client. */
    public TrustManagerFactory trust() {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("the JVM cannot build a trust store", impossible);
        }
    }
}

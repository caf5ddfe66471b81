package io.nixlkv.host.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Reads a configuration file's text. */
final class ConfigText {
    private static final long MOST_BYTES = 16 << 20;

    private ConfigText() {}

    /** @throws ConfigException if no file can have that name */
    static Path path(String text) {
        if (text.isBlank()) {
            throw new ConfigException("--config", "", "a file name is missing");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException wrong) {
            throw new ConfigException(text, "", "is not a file name: " + wrong.getReason());
        }
    }

    /** @throws ConfigException in one sentence, if it cannot be read or is not UTF-8 */
    static String read(Path file) {
        String name = file.toString();
        byte[] bytes;
        try {
            if (Files.notExists(file)) {
                throw new ConfigException(name, "", "there is no such file; check the path given as --config");
            }
            if (Files.isDirectory(file)) {
                throw new ConfigException(name, "", "is a directory; give the configuration file inside it");
            }
            if (Files.size(file) > MOST_BYTES) {
                throw new ConfigException(name, "", "has more than 16 MiB; this is not a configuration file");
            }
            bytes = Files.readAllBytes(file);
        } catch (AccessDeniedException denied) {
            throw new ConfigException(name, "", "may not be read by this user; change its permissions");
        } catch (IOException failed) {
            throw new ConfigException(name, "", "cannot be read: " + failed.getMessage());
        }
        return decode(bytes, name);
    }

    private static String decode(byte[] bytes, String name) {
        if (looksLikeUtf16(bytes)) {
            throw new ConfigException(name, "", "is UTF-16; save it as UTF-8");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw new ConfigException(name, "", "is not UTF-8; save it as UTF-8");
        }
    }

    /** By its mark or, since a configuration has no NUL, by a NUL beside the first character. */
    private static boolean looksLikeUtf16(byte[] bytes) {
        if (bytes.length < 2) {
            return false;
        }
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        return first == 0xff && second == 0xfe || first == 0xfe && second == 0xff || first == 0 || second == 0;
    }
}

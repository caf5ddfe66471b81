package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jars whose classes fail when they are loaded, initialised, instantiated or asked, each beside a good one. */
class BadClassTest {
    private static final String SERVICES = "META-INF/services/io.nixlkv.spi.StorageStrategy";
    private static final StrategySource BAD = StrategySource.of("acme.Bad", "BAD");
    private static final StrategySource BASE = StrategySource.plain("acme.Base", "package acme; public class Base {}");

    @TempDir
    Path folder;

    @Test
    void aClassThatIsNotInTheJar() {
        TestJar.at(folder, "bad.jar").strategy(BAD).leavingOut("acme.Bad").write();
        assertEquals(SERVICES + " names class acme.Bad, which the jar does not contain", reason());
    }

    @Test
    void aClassWhoseSuperclassIsMissing() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.extending("Base"))
                .alsoClass(BASE)
                .leavingOut("acme.Base")
                .write();
        assertEquals(
                "class acme.Bad needs class acme.Base, which its jar does not contain;"
                        + " bundle it, since a plugin cannot see the host's libraries",
                reason());
    }

    @Test
    void aClassForANewerJava() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD)
                .classFileVersion("acme.Bad", 99)
                .write();
        assertEquals(
                "class acme.Bad needs Java 55, this is Java "
                        + Runtime.version().feature() + "; build the plugin for this Java or run nixlkv with that one",
                reason());
    }

    @Test
    void aSuperclassForANewerJava() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.extending("Base"))
                .alsoClass(BASE)
                .classFileVersion("acme.Base", 99)
                .write();
        assertTrue(reason().startsWith("class acme.Base needs Java 55, "));
    }

    @Test
    void anOptionalDependencyOfAnUnusedMethod() {
        TestJar.at(folder, "other.jar")
                .strategy(StrategySource.of("acme.Other", "OTHER")
                        .withMembers("public Object unused() { return new Base(); }"))
                .alsoClass(BASE)
                .leavingOut("acme.Base")
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("other.jar", catalog.find("OTHER").orElseThrow().source());
        }
    }

    @Test
    void aClassThatIsNoStrategy() {
        TestJar.at(folder, "bad.jar").alsoClass(BASE).serviceLine("acme.Base").write();
        assertEquals("class acme.Base of " + SERVICES + " does not implement io.nixlkv.spi.StorageStrategy", reason());
    }

    @Test
    void anAbstractClass() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.replacing("public class", "public abstract class"))
                .write();
        assertEquals("class acme.Bad must be public, not abstract, with a public no-argument constructor", reason());
    }

    @Test
    void aClassThatIsNotPublic() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.replacing("public class", "class"))
                .write();
        assertEquals("class acme.Bad must be public, not abstract, with a public no-argument constructor", reason());
    }

    @Test
    void aConstructorWithArguments() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.withMembers("public Bad(String folder) {}"))
                .write();
        assertEquals("class acme.Bad must be public, not abstract, with a public no-argument constructor", reason());
    }

    @ParameterizedTest
    @CsvSource({
        "IllegalStateException, java.lang.IllegalStateException: gone",
        "UnsatisfiedLinkError, java.lang.UnsatisfiedLinkError: gone",
        "ExceptionInInitializerError, java.lang.ExceptionInInitializerError: gone",
        "StackOverflowError, java.lang.StackOverflowError: gone",
        "LinkageError, java.lang.LinkageError: gone",
        "AssertionError, java.lang.AssertionError: gone"
    })
    void whateverTheConstructorThrows(String type, String shown) {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.withConstructor("throw new " + type + "(\"gone\");"))
                .write();
        assertEquals("the constructor of acme.Bad failed with " + shown, reason());
    }

    @ParameterizedTest
    @CsvSource({
        "IllegalStateException, java.lang.IllegalStateException: gone",
        "UnsatisfiedLinkError, java.lang.UnsatisfiedLinkError: gone",
        "ExceptionInInitializerError, java.lang.ExceptionInInitializerError: gone",
        "StackOverflowError, java.lang.StackOverflowError: gone"
    })
    void whateverTheStaticInitialiserThrows(String type, String shown) {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.withStaticBlock("if (true) throw new " + type + "(\"gone\");"))
                .write();
        assertEquals("the static initialiser of acme.Bad failed with " + shown, reason());
    }

    @Test
    void aRealStackOverflow() {
        TestJar.at(folder, "bad.jar")
                .strategy(
                        BAD.withMembers("public Bad() { deeper(1); } int deeper(int n) { return deeper(n + 1) + n; }"))
                .write();
        assertEquals("the constructor of acme.Bad failed with java.lang.StackOverflowError", reason());
    }

    @Test
    void aNativeLibraryThatIsNotThere() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.withStaticBlock("System.loadLibrary(\"acme-not-there\");"))
                .write();
        assertTrue(
                reason().startsWith(
                                "the static initialiser of acme.Bad failed with java.lang.UnsatisfiedLinkError: no acme-not-there"));
    }

    @Test
    void infoThatThrows() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.withInfoBody("throw new IllegalStateException(\"first line\\nsecond line\");"))
                .write();
        assertEquals(
                "info() of acme.Bad failed with java.lang.IllegalStateException: first line second line", reason());
    }

    @Test
    void infoThatReturnsNull() {
        TestJar.at(folder, "bad.jar").strategy(BAD.withInfoBody("return null;")).write();
        assertEquals("info() of acme.Bad returned null", reason());
    }

    @Test
    void infoWithANameThatIsNone() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.replacing("\"BAD\"", "\"acme-kv\""))
                .write();
        assertEquals(
                "info() of acme.Bad failed with java.lang.IllegalArgumentException:"
                        + " strategy name must be an uppercase NIXL plugin identifier: acme-kv",
                reason());
    }

    @Test
    void aClassOfAnotherSpiVersion() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.withMembers("public Bad() { io.nixlkv.spi.NotYet.call(); }"))
                .alsoClass(StrategySource.plain(
                        "io.nixlkv.spi.NotYet",
                        "package io.nixlkv.spi; public class NotYet { public static void call() {} }"))
                .write();
        assertEquals(
                "class acme.Bad needs class io.nixlkv.spi.NotYet, which storage SPI 0.1.0 of this host does not have;"
                        + " the plugin was built for another",
                reason());
    }

    @Test
    void aStrategyBuiltAgainstAnotherFormOfTheInterface() {
        StrategySource older = StrategySource.plain(
                "io.nixlkv.spi.StorageStrategy",
                "package io.nixlkv.spi; public interface StorageStrategy { String describe(); }");
        TestJar.at(folder, "bad.jar")
                .strategy(StrategySource.plain(
                        "acme.Bad",
                        "package acme; public class Bad implements io.nixlkv.spi.StorageStrategy {"
                                + " public String describe() { return \"BAD\"; } }"))
                .alsoClass(older)
                .leavingOut(older.className())
                .write();
        String reason = reason();
        assertTrue(
                reason.startsWith("info() of acme.Bad failed with java.lang.AbstractMethodError: ")
                        && reason.endsWith(
                                "; it was built against another version of a class, maybe not storage SPI 0.1.0"),
                reason);
    }

    @Test
    void everyBadClassOfAJarIsReported() {
        TestJar.at(folder, "bad.jar")
                .strategy(BAD.withConstructor("throw new IllegalStateException(\"one\");"))
                .serviceLine("acme.Absent")
                .write();
        TestJar.good(folder, "good.jar", "GOOD");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("GOOD"), PluginFolder.namesFromJars(catalog));
            assertEquals(
                    List.of(
                            "the constructor of acme.Bad failed with java.lang.IllegalStateException: one",
                            SERVICES + " names class acme.Absent, which the jar does not contain"),
                    PluginFolder.reasons(catalog, "bad.jar"));
        }
    }

    private String reason() {
        return PluginFolder.reasonBesideGood(folder, "bad.jar");
    }
}

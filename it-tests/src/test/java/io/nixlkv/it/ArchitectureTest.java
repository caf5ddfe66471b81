package io.nixlkv.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.ExecutorService;

/** The arrows of the house (docs/architecture.md) point downwards only. */
@AnalyzeClasses(packages = "io.nixlkv", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule SPI_STANDS_ALONE = classes()
            .that()
            .resideInAPackage("io.nixlkv.spi")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.nixlkv.spi", "java..", "org.slf4j..");

    @ArchTest
    static final ArchRule API_KNOWS_ONLY_THE_SPI = classes()
            .that()
            .resideInAPackage("io.nixlkv.api..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.nixlkv.api..", "io.nixlkv.spi", "java..");

    @ArchTest
    static final ArchRule PLUGINS_KNOW_NO_HOST = noClasses()
            .that()
            .resideInAPackage("io.nixlkv.plugin..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.nixlkv.host..", "io.nixlkv.api..", "io.nixlkv.cli..", "org.pf4j..");

    @ArchTest
    static final ArchRule NATIVE_CODE_STANDS_ALONE = classes()
            .that()
            .resideInAPackage("io.nixlkv.nativeio..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.nixlkv.nativeio..", "java..", "org.bytedeco.javacpp..", "org.slf4j..");

    @ArchTest
    static final ArchRule HOST_KNOWS_NO_PLUGIN = noClasses()
            .that()
            .resideInAnyPackage("io.nixlkv.host..", "io.nixlkv.api..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.nixlkv.plugin..", "io.nixlkv.cli..");

    @ArchTest
    static final ArchRule ONLY_DISCOVERY_KNOWS_PF4J = noClasses()
            .that()
            .resideOutsideOfPackage("io.nixlkv.host.discovery..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.pf4j..");

    @ArchTest
    static final ArchRule ONLY_CONFIGURATION_KNOWS_TOML = noClasses()
            .that()
            .resideOutsideOfPackage("io.nixlkv.host.config..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.tomlj..");

    @ArchTest
    static final ArchRule NO_CYCLES_IN_THE_HOST =
            slices().matching("io.nixlkv.host.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NOBODY_INTERRUPTS_POOLS_OF_IO = noClasses()
            .that()
            .resideInAnyPackage("io.nixlkv.plugin..")
            .should()
            .callMethod(ExecutorService.class, "shutdownNow");
}

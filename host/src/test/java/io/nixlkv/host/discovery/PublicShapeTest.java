package io.nixlkv.host.discovery;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class PublicShapeTest {

    @Test
    void nothingOfPf4jShows() {
        JavaClasses discovery = new ClassFileImporter().importPackages("io.nixlkv.host.discovery");
        noClasses()
                .that()
                .arePublic()
                .and()
                .haveSimpleNameNotEndingWith("Test")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.pf4j..")
                .check(discovery);
    }
}

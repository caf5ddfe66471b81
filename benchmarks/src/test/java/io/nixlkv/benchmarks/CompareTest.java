package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CompareTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String... arguments) {
        return new CommandLine(new Compare(new Stop()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--pairs=21; --dir is needed, or --s3 or --azure",
                "--dir=/nowhere; --dir: /nowhere is not a directory that can be written to",
                "--dir=D --pairs=20; --pairs is at least 21",
                "--dir=D --engines=nio --subject=nixl; --engines and --subject exclude each other",
                "--dir=D --against=fs; nobody is called \"fs\"",
                "--dir=D --objects=32; objects are written as COUNTxSIZE",
                "--dir=D --direct --s3; --direct, --pool, --lmcache, --engines and --subject are for files",
                "--dir=D --pool --lmcache; --pool excludes --lmcache and --subject",
                "--dir=D --s3=http://host; --s3 takes a URL with a bucket"
            })
    void wrongUsageIsTold(String arguments, String expected) {
        assertEquals(2, run(arguments.replace("=D", "=" + directory).split(" ")));
        assertTrue(err.toString().startsWith(expected), err.toString());
    }

    @Test
    void helpNamesEveryOptionOnce() {
        assertEquals(0, run("--help"));
        for (String option : new String[] {
            "--dir", "--direct", "--pool", "--lmcache", "--s3", "--azure", "--engines", "--pairs", "--json", "--svg"
        }) {
            assertTrue(out.toString().contains(option), option);
        }
        assertTrue(out.toString().lines().allMatch(line -> line.length() <= 80), out.toString());
    }
}

package io.nixlkv.it;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Ends a build by saying how many tests ran, and which did not and why, from the test reports of all rooms. A skipped test looks
 * green everywhere else.
 */
public final class SkipTable {
    private static final int NAMED = 3;

    private record Skipped(String test, String name, String reason) {}

    private SkipTable() {}

    /**
     * @param arguments the project's root; {@code true} if a skipped test fails the build
     */
    public static void main(String[] arguments) throws Exception {
        boolean strict = Boolean.parseBoolean(arguments[1]);
        if (!print(Path.of(arguments[0]), System.out) && strict) {
            throw new IllegalStateException("tests were skipped, and nixlkv.strict is on");
        }
    }

    /** @return whether every test ran */
    static boolean print(Path root, PrintStream out) throws IOException, ParserConfigurationException, SAXException {
        int ran = 0;
        List<Skipped> skipped = new ArrayList<>();
        for (Path report : reports(root)) {
            NodeList cases = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++) {
                Element test = (Element) cases.item(i);
                Node skip = test.getElementsByTagName("skipped").item(0);
                if (skip == null) {
                    ran++;
                } else {
                    String type = test.getAttribute("classname").replaceFirst(".*\\.", "");
                    skipped.add(new Skipped(type, test.getAttribute("name"), reason((Element) skip)));
                }
            }
        }
        out.println();
        out.printf("Tests: %d ran, %d skipped%n", ran, skipped.size());
        skipped.stream()
                .collect(groupingBy(Skipped::reason, TreeMap::new, toList()))
                .forEach((reason, tests) -> print(reason, tests, out));
        out.println();
        return skipped.isEmpty();
    }

    /** A condition of a test has it as an attribute, an assumption that failed in the first line of its stack trace. */
    private static String reason(Element skip) {
        return skip.hasAttribute("message")
                ? skip.getAttribute("message")
                : skip.getTextContent()
                        .lines()
                        .findFirst()
                        .orElse("")
                        .replaceFirst("^[a-zA-Z0-9.]+Exception: (Assumption failed: )?", "");
    }

    /** One reason may skip whole classes: of more than a few tests of a class, their number is told. */
    private static void print(String reason, List<Skipped> tests, PrintStream out) {
        out.printf("%n%5d skipped: %s%n", tests.size(), reason);
        tests.stream()
                .collect(groupingBy(Skipped::test, TreeMap::new, mapping(Skipped::name, toList())))
                .forEach((type, names) -> {
                    if (names.size() > NAMED) {
                        out.printf("%13s%s (%d tests)%n", "", type, names.size());
                    } else {
                        names.forEach(name -> out.printf("%13s%s.%s%n", "", type, name));
                    }
                });
    }

    private static List<Path> reports(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.find(
                root,
                6,
                (path, attributes) -> attributes.isRegularFile()
                        && path.toString().matches(".*/target/(surefire|failsafe)-reports/TEST-[^/]*\\.xml"))) {
            files.sorted().forEach(found::add);
        }
        return found;
    }
}

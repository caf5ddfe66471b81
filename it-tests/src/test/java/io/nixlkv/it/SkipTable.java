package io.nixlkv.it;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private record Skipped(String test, String reason) {}

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
                    String name =
                            test.getAttribute("classname").replaceFirst(".*\\.", "") + "." + test.getAttribute("name");
                    skipped.add(new Skipped(name, ((Element) skip).getAttribute("message")));
                }
            }
        }
        out.println();
        out.printf("Tests: %d ran, %d skipped%n", ran, skipped.size());
        for (Skipped one : skipped) {
            out.printf("  skipped %-60s %s%n", one.test(), one.reason());
        }
        out.println();
        return skipped.isEmpty();
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

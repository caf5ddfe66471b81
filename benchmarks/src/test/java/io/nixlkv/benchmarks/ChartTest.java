package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartTest {
    private static final Report REPORT = new Report(
            new Conditions(Map.of("file_system", "ext4 on <disk> & more")),
            List.of(
                    Cells.cell(
                            Operation.STORE,
                            null,
                            Cells.comparison("nixl", 2, 0.1),
                            Cells.comparison("syscalls", 0.5, 0.3)),
                    Cells.cell(
                            Operation.LOAD, null, Cells.comparison("nixl", 4, 0.1), Cells.failed("syscalls", "none"))),
            List.of(),
            true);

    private static List<Element> all(String tag) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(Chart.svg(REPORT).getBytes(StandardCharsets.UTF_8)));
        NodeList nodes = document.getElementsByTagName(tag);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    @Test
    void barsAreAsLongAsRatiosAndTheInconclusiveOnesArePale() throws Exception {
        // the background and the two opponents' squares come first
        List<Element> bars = all("rect").subList(3, 6);
        int half = Integer.parseInt(bars.get(1).getAttribute("width"));
        assertEquals(4 * half, Integer.parseInt(bars.get(0).getAttribute("width")), 2);
        assertEquals(8 * half, Integer.parseInt(bars.get(2).getAttribute("width")), 4);
        assertEquals("1.00", bars.get(0).getAttribute("fill-opacity"));
        assertEquals("0.35", bars.get(1).getAttribute("fill-opacity"));
        assertEquals(bars.get(0).getAttribute("fill"), bars.get(2).getAttribute("fill"));
    }

    @Test
    void saysWhatWasMeasuredAndHow() throws Exception {
        List<String> texts = all("text").stream().map(Element::getTextContent).toList();
        assertTrue(texts.contains("32x1MiB store, buffered, sync off, warm"), texts.toString());
        assertTrue(texts.containsAll(List.of("nixl", "syscalls", "nixlkv:auto", "2.00", "0.50 ?", "failed")));
        assertTrue(texts.contains("file_system: ext4 on <disk> & more"));
        assertFalse(Chart.svg(REPORT).contains("<disk>"));
    }
}

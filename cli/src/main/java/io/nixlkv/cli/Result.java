package io.nixlkv.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** How a command answers: as text for people, or as one JSON document. Messages go to standard error either way. */
final class Result {
    private final Surroundings around;
    private final boolean json;

    Result(Surroundings around, boolean json) {
        this.around = around;
        this.json = json;
    }

    /** Prints the result in the wanted form; only that form is made. */
    void print(Supplier<Map<String, Object>> document, Consumer<PrintStream> text) {
        if (json) {
            around.out().println(render(document.get()));
        } else {
            text.accept(around.out());
        }
    }

    /** Whether the answer is a JSON document. */
    boolean json() {
        return json;
    }

    /** Says something that is not the result. */
    void message(String line) {
        around.err().println("nixlkv: " + line);
    }

    static String render(Map<String, Object> document) {
        try {
            return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(document);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a result has no JSON form", impossible);
        }
    }
}

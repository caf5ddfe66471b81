package io.nixlkv.plugin.support.testing;

import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips tests, counted and with the reason, where native NIXL or one of its plugins is absent. */
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsNixl.Condition.class)
public @interface NeedsNixl {
    /** NIXL's name of the plugin. */
    String value();

    /** Looks for it. */
    final class Condition implements ExecutionCondition {
        /** Where {@code benchmarks/peers install-nixl} puts NIXL, unless {@code NIXL_HOME} says otherwise. */
        public static void useInstalled() {
            if (System.getenv("NIXL_HOME") == null && System.getProperty(NixlSearch.PROPERTY) == null) {
                String peers = System.getenv()
                        .getOrDefault("PEERS_HOME", System.getProperty("user.home") + "/.cache/nixlkv-peers");
                System.setProperty(NixlSearch.PROPERTY, peers + "/nixl/.nixl_cu12.mesonpy.libs");
            }
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            useInstalled();
            return AnnotationSupport.findAnnotation(context.getElement(), NeedsNixl.class)
                    .flatMap(needed -> NixlEngine.problem(needed.value()))
                    .map(ConditionEvaluationResult::disabled)
                    .orElseGet(() -> ConditionEvaluationResult.enabled("native NIXL is installed"));
        }
    }
}

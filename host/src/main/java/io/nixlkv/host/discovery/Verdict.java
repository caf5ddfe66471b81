package io.nixlkv.host.discovery;

import java.util.Optional;

/**
 * What the capability gate says about one engine.
 *
 * @param accepted whether it may carry a store
 * @param reason the segments that let it pass, or what is wrong with those it offers
 * @param kind what a store keeps its values in; empty when refused
 */
public record Verdict(boolean accepted, String reason, Optional<StorageKind> kind) {}

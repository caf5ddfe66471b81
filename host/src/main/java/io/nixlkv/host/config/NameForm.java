package io.nixlkv.host.config;

/** Which of LMCache's two spellings layout {@code lmcache} uses for physical names. */
public enum NameForm {
    /** {@code org-SEP-model@0x0000002a@7@00112233.data}. */
    FILE,
    /** {@code org/model@0000002a@7@00112233}. */
    WIRE
}

package io.nixlkv.host.hicache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.nixlkv.api.hicache.HiCacheIdentity;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which names belong to a model, as {@code clear} sees it. */
class ModelNamesTest {
    private static final String HASH = "6146050ab782a07eec24014cf1cb93bc2cbe60199bd8016792174bba21790c04";

    @ParameterizedTest
    @CsvSource({
        "_org-model_0_8, true",
        "_org-model_7_8_k, true",
        "_org-model_7_8_v, true",
        "_org-model_0_8_mamba_temporal, true",
        "_org-model_0_8_mamba_conv_3, true",
        "_org-model_0_8_deepseek_v4_c4_indexer_state_2, true",
        "_org-model_0_8_mine_k, true",
        "_org-model_0_8_theirs_k, false",
        "_org-model_8_8_k, false",
        "_org-model_0_0, false",
        "_org-model_k, false",
        "_org-model, false",
        "_org-model_0_8_0_8_k, false",
        "_org-model-2_0_8_k, false",
        "_org-model_draft_0_8_k, false",
        "_org-modelx_0_8_k, false",
        "_org-model_0_8_k.tmp, false",
        "_org_model_0_8_k, false",
    })
    void ofAModelWithRanks(String rest, boolean own) {
        ModelNames names = new ModelNames(HiCacheIdentity.of("org/model"), List.of("mine"));
        assertEquals(own, names.isOfModel(HASH + rest));
    }

    @ParameterizedTest
    @CsvSource({
        "_org-mla, true",
        "_org-mla_k, true",
        "_org-mla_indexer, true",
        "_org-mla_swa_v, true",
        "_org-mla_1_2_mamba_temporal, true",
        "_org-mla_1_2_mamba, true",
        "_org-mla_1_2_k, false",
        "_org-mla_1_2, false",
        "_org-mla_other_k, false",
        "_org-mla-2_k, false",
    })
    void ofAnMlaModel(String rest, boolean own) {
        ModelNames names = new ModelNames(new HiCacheIdentity("org/mla", 0, 2, true), List.of());
        assertEquals(own, names.isOfModel(HASH + rest));
    }
}

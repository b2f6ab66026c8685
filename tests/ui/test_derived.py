import numpy as np
import pytest

from core.settings.methods import RunSettings
from tests.ui.handmade import agents, entry, handmade
from tests.ui.sample import GOLD, STAGES, sample
from ui.derived import derive, fate


def test_no_signals_nothing_derived():
    assert derive(sample(3, "start")) is None


def test_the_exact_curve_of_three_documents():
    derived = derive(handmade((1.0, 2.0, 1.0)))
    assert derived.raw_attention.tolist() == [1, 2, 1]
    assert derived.attention.tolist() == [0.25, 0.5, 0.25]
    assert derived.trend.tolist() == [0.25, 0.25, 0.25]
    assert derived.contrast.tolist() == [-1, 2, -1]
    assert derived.contrast_share.tolist() == [-0.25, 0.5, -0.25]
    assert derived.attention_rank == (2, 1, 3)


@pytest.mark.parametrize(("attention", "contrast"), [((3.0,), [0.0]), ((3.0, 1.0), [0.5, -0.5])])
def test_one_and_two_documents(attention, contrast):
    derived = derive(handmade(attention, gold=()))
    assert derived.contrast_share.tolist() == contrast
    assert sorted(derived.place) == list(range(len(attention)))
    assert derived.trend.tolist() == derived.attention.tolist()


def test_attention_of_nothing_stays_zero():
    derived = derive(handmade((0.0, 0.0, 0.0)))
    assert not derived.attention.any() and not derived.trend.any() and not derived.contrast_share.any()


def test_own_settings_give_the_recorded_ranking():
    record = sample()
    derived = derive(record)
    assert derived.ranking == record.ranking
    assert derived.place[GOLD] == 1
    assert [derived.place[row.document] for row in derived.ranking] == list(range(1, 21))
    assert derived.pool == record.pool
    assert not derived.stale


def test_other_settings_rank_and_gate_anew():
    record = handmade(pool=(entry(0, 0.3, False), entry(1, 0.5, True)))
    by_meaning = derive(record, RunSettings(alpha=1, beta=0, gamma=0, tau=0.6, fallback="empty"))
    assert [row.document for row in by_meaning.ranking] == [2, 1, 0]
    assert [item.kept for item in by_meaning.pool] == [False, False]
    by_contrast = derive(record, RunSettings(alpha=0, beta=0, gamma=1, tau=0.2))
    assert [row.document for row in by_contrast.ranking] == [1, 0, 2]
    assert [item.kept for item in by_contrast.pool] == [True, True]


def test_snippets_follow_the_gate():
    record = sample()
    kept = derive(record, record.settings.model_copy(update={"tau": 0.1}))
    assert all(item.snippets for item in kept.pool)
    for item in kept.pool:
        text = record.documents[item.document].text
        assert all(text[snippet.start : snippet.end] == snippet.text for snippet in item.snippets)
    none = derive(record, record.settings.model_copy(update={"tau": 1.0, "fallback": "empty"}))
    assert not any(item.snippets for item in none.pool)


@pytest.mark.parametrize(
    ("shown", "k", "stale"), [((1, 2), 2, False), ((2, 1), 2, True), ((1, 2), 3, True), ((1, 0), 2, True)]
)
def test_stale_when_the_local_agent_would_see_others(shown, k, stale):
    record = handmade(agents=agents(shown))  # ranked 1, 2, 0: the spike, then by meaning
    assert derive(record, RunSettings(k=k)).stale is stale


def test_a_layer_that_does_not_exist_is_an_error():
    with pytest.raises(ValueError, match="layer 70 does not exist"):
        derive(sample(3), RunSettings(layers=(70, 7)))


def test_fate_as_far_as_the_run_has_come():
    fates = {stage: [fate(r, derive(r), i) for i in (GOLD, 0, 2)] for stage in STAGES for r in (sample(20, stage),)}
    assert fates == {
        "start": ["", "", ""],
        "signals": ["in the local view", "in the local view", "below the cut"],
        "agents": ["chosen", "chosen", "not chosen"],
        "pool": ["quoted", "pruned", "not chosen"],
        "final": ["quoted", "pruned", "not chosen"],
    }


def test_the_cached_grid_cannot_be_changed():
    derived = derive(sample())
    derived.raw_attention[0] = 9.0
    assert np.all(derive(sample()).raw_attention < 1)

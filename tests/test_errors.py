"""Every error class has one owner and defines its consequences."""

import pytest

from gwray import errors
from gwray.errors import (
    AgentError,
    AuthError,
    BrowserDisconnected,
    BrowserError,
    ConcurrentWriteError,
    DiskFull,
    GwrayError,
    LogDamaged,
    ModelDown,
    ModelError,
    ModelNotFound,
    PageCrashed,
    PageHung,
    QuotaExhausted,
    RateLimited,
    choose,
)
from gwray.records import EpisodeRecord

KINDS = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, GwrayError) and e is not GwrayError]


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_names_the_owner_of_every_kind_of_failure(kind):
    top = next(k for k in kind.__mro__ if k.__base__ is GwrayError)
    (row,) = [line for line in str(errors.__doc__).splitlines() if line.startswith(f"| `{top.__name__}`")]
    assert row.split("|")[2].strip() == kind.owner


def test_only_node_and_disk_failures_retry_and_account_errors_stop():
    assert {k for k in KINDS if k.retryable} == {
        BrowserError, BrowserDisconnected, PageHung, PageCrashed, DiskFull, LogDamaged, ConcurrentWriteError,
    }  # fmt: skip
    assert {k for k in KINDS if k.stops_model} == {AuthError, QuotaExhausted, ModelDown, ModelNotFound}


def test_transient_requests_do_not_retry_the_episode():
    assert RateLimited.transient and not RateLimited.retryable and not ModelError.transient


def test_near_name_is_suggested_alone_among_many():
    many = [f"{n:02}_game" for n in range(30)]
    assert str(choose("game", "07_gme", many, "`gwray games` lists them.")).endswith(
        "Did you mean 07_game or 27_game or 20_game? There are 30. `gwray games` lists them."
    )
    assert "Allowed: 00_game, 01_game" in str(choose("game", "xyz", many, "`gwray games` lists them."))
    assert "Allowed: 00_game, 01_game" in str(choose("game", "07_gme", many))
    assert "Allowed: a, b" in str(choose("letter", "a1", ["a", "b"], "Type one."))


def test_a_message_that_is_cut_says_so():
    from gwray.agents.clients.base import Secret
    from gwray.agents.clients.failures import MAX_MESSAGE, error_from_response

    assert str(error_from_response(500, {"error": "x" * MAX_MESSAGE}, {}, Secret(""))).endswith("x")
    assert str(error_from_response(500, {"error": "x" * (MAX_MESSAGE + 1)}, {}, Secret(""))).endswith("xx…")


def test_record_has_error_owner():
    facts = {"key": "k", "cell": "c", "game": "g", "task": "t", "status": "failed"}
    record = EpisodeRecord(**facts, **AgentError("asked without end").error_fields())
    assert (record.error_class, record.error_owner, record.retryable) == ("AgentError", "agent", False)

"""What an episode consists of and leaves behind: actions, observations, replies, steps and results, their identity, and
the removal of secrets from them. Imports no other package. `gwray.records.columns` is imported
directly, so that code without tables does not load polars."""

from gwray.records.accounting import (
    UNKNOWN_USAGE,
    UsageTotals,
    has_unknown_usage,
    reply_unknowns,
    unknown_caveats,
    unknown_notes,
)
from gwray.records.actions import (
    ACTION,
    MAX_COMMAND_MS,
    Action,
    Button,
    Click,
    ClickHold,
    Command,
    Drag,
    Event,
    MouseMove,
    PressKey,
    PressKeys,
    Pull,
    Scroll,
    Type,
    Wait,
    events,
    merge,
)
from gwray.records.episode import (
    BLANK,
    CIRCUMSTANCES,
    LONGEST_CHARGE_MS,
    OUTCOME_FIELDS,
    UNMOVED,
    VALIDITIES,
    Digest,
    EndedBy,
    EngineReading,
    EpisodeRecord,
    Judgement,
    LoggedReply,
    PrefixStep,
    Reply,
    StepRecord,
    ToolCall,
    Usage,
    Validity,
    ascii_json,
    canonical,
    digest,
    storable,
)
from gwray.records.identity import NOT_OUTCOME, non_defaults
from gwray.records.redaction import (
    HIDDEN,
    environment_secrets,
    hide,
    is_secret,
    names_user,
    redacted,
    redacted_override,
    redacted_text,
)
from gwray.records.views import CommandAnswer, Diagnostics, Reading, View

__all__ = ["EpisodeRecord", "Reply", "StepRecord", "canonical", "digest"]

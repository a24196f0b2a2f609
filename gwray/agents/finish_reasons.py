"""Meaning of providers' finish reasons. There is one table for all, because servers of one API use the words of
others."""

from __future__ import annotations

from typing import Literal

FinishKind = Literal["complete", "truncated", "filtered", "failed", "refused", "models_fault", "unknown"]
"""`failed`: the service broke. `refused`: this generation failed in the provider's own way, others do not.
`models_fault`: the model wrote something that cannot be read as a reply."""

FINISH_REASONS: dict[FinishKind, str] = {
    # Chat Completions | Responses | Anthropic | Gemini | other servers
    "complete": "stop tool_calls function_call | completed | end_turn tool_use stop_sequence compaction | STOP | eos "
    "eos_token stop_token tool_call tool-calls complete reason_stop reason_tool_calls normal null",
    "truncated": "length | max_output_tokens incomplete | max_tokens model_context_window_exceeded pause_turn | "
    "MAX_TOKENS | model_length context_length max_length CONTINUATION reason_max_len reason_max_context "
    "max_messages steered",
    "filtered": "content_filter | content_filter | refusal | SAFETY PROHIBITED_CONTENT BLOCKLIST SPII RECITATION "
    "IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION MODEL_ARMOR LANGUAGE | sensitive safety content-filter "
    "contentfilter moderation guardrail_intervened guardrail content_filtered blocked error_toxic",
    "failed": "error network_error | failed cancelled queued in_progress | | FINISH_REASON_UNSPECIFIED | abort aborted "
    "canceled timeout time_limit insufficient_system_resource server_error internal_error failure exception "
    "upstream_error overloaded engine_overloaded error_limit user_cancel reason_time_limit load unload",
    "refused": "| | | OTHER UNEXPECTED_TOOL_CALL MALFORMED_RESPONSE MISSING_THOUGHT_SIGNATURE NO_IMAGE IMAGE_OTHER "
    "ESCALATION PUP_LIMITED_DISABLED | other",
    "models_fault": "| | | MALFORMED_FUNCTION_CALL TOO_MANY_TOOL_CALLS | malformed_function_call repetition "
    "malformed_model_output malformed_tool_use",
}
_KINDS: dict[str, FinishKind] = {
    word: kind for kind, words in FINISH_REASONS.items() for word in words.replace("|", " ").lower().split()
}


def finish_kind(reason: str) -> FinishKind:
    """Returns the kind of a finish reason, whatever its case; without one a reply is complete."""
    return _KINDS.get(reason.strip().lower(), "unknown") if reason.strip() else "complete"

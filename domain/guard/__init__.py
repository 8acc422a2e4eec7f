"""The guard: what a verification service owes its bill and its users (C-76 to C-80)."""

from .budgets import budget_of, counted, rule_and_window
from .code_sends import Budget, CodeSend, budgets_of, guesses_budget
from .policy import (
    DEFAULT_POLICY,
    LEAST_OF_COUNTRY,
    MOST_GUESSES,
    Budgeted,
    Countries,
    GuardPolicy,
    Moded,
    Sends,
    Unverified,
    longest_window,
)
from .replaying import RecordedSend, Replay
from .rules import UNVERIFIED, Mode, Rule
from .subjects import (
    NO_COUNTRY,
    OTHER,
    Subject,
    account_subject,
    channel_subject,
    country_subject,
    ip_subject,
    person_subject,
    prefix_of,
    prefix_subject,
)
from .tallies import BUCKETS, Tally, bucket_at, bucket_width, reached_until

__all__ = [
    "BUCKETS",
    "DEFAULT_POLICY",
    "LEAST_OF_COUNTRY",
    "MOST_GUESSES",
    "NO_COUNTRY",
    "OTHER",
    "UNVERIFIED",
    "Budget",
    "Budgeted",
    "CodeSend",
    "Countries",
    "GuardPolicy",
    "Mode",
    "Moded",
    "RecordedSend",
    "Replay",
    "Rule",
    "Sends",
    "Subject",
    "Tally",
    "Unverified",
    "account_subject",
    "bucket_at",
    "bucket_width",
    "budget_of",
    "budgets_of",
    "channel_subject",
    "counted",
    "country_subject",
    "guesses_budget",
    "ip_subject",
    "longest_window",
    "person_subject",
    "prefix_of",
    "prefix_subject",
    "reached_until",
    "rule_and_window",
]

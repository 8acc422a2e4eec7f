"""The guard of an account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watchword.domain.guard import Mode
from watchword.entrypoints.wire.guard_policies import (
    ChannelRules,
    CountriesRule,
    CountryRule,
    GuardPolicyBody,
    GuessesRule,
    IpRule,
    NumbersRule,
    PrefixRule,
    SendsRule,
    SendsRules,
    UnverifiedRules,
)

NAMED: Mapping[str, Any] = {
    "GuardMode": Mode,
    "GuardPolicy": GuardPolicyBody,
    "GuardOfNumbers": NumbersRule,
    "GuardOfGuesses": GuessesRule,
    "GuardOfCountries": CountriesRule,
    "GuardOfUnverified": UnverifiedRules,
    "GuardOfUnverifiedCountry": CountryRule,
    "GuardOfUnverifiedPrefix": PrefixRule,
    "GuardOfUnverifiedIp": IpRule,
    "GuardOfSends": SendsRules,
    "GuardOfChannels": ChannelRules,
    "GuardOfAllSends": SendsRule,
}

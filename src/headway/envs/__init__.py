"""Environments for research: the games as Gymnasium, PettingZoo and OpenSpiel know them.

Needs the extra `research`. Importing this package registers the environments of
Gymnasium and PettingZoo.
"""

from __future__ import annotations

from headway.errors import InputError

try:
    import gymnasium
    from pettingzoo import env_registry
except ModuleNotFoundError:
    raise InputError("env.not_installed") from None

ENVIRONMENTS = {
    "Headway/NextStation-v0": "next_station",
    "Headway/TicketToRide-v0": "ticket_to_ride",
}
"""The environments, and the functions of `gymnasium_envs` and `pettingzoo_envs` that make them."""

for _name, _maker in ENVIRONMENTS.items():
    if _name not in gymnasium.registry:
        gymnasium.register(
            _name,
            entry_point=f"headway.envs.gymnasium_envs:{_maker}",
            vector_entry_point=f"headway.envs.gymnasium_envs:{_maker}_vector",
        )
        env_registry.register("aec", _name, f"headway.envs.pettingzoo_envs:{_maker}")
        env_registry.register("parallel", _name, f"headway.envs.pettingzoo_envs:{_maker}_parallel")

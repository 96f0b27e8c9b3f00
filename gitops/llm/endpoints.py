"""Where a key may be sent. A `base_url` in `assay.toml` is the repository's word, and a repository may be hostile.

A key goes to Anthropic's own address, to this machine, or to where the user said so outside the repository.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping

from gitops.config import Preset
from gitops.errors import CannotRun, UsageError

ANTHROPIC = "https://api.anthropic.com"
ALLOWED = "ASSAY_BASE_URL_ALLOWED"
OWN = "ANTHROPIC_BASE_URL"
_PORTS = {"http": "80", "https": "443"}
# Spelled so narrowly that no two readers of addresses can read two hosts in one: no user, no backslash, no query.
_ADDRESS = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?(?:/[A-Za-z0-9._~/-]*)?", re.IGNORECASE)


def base_url(name: str, preset: Preset, environ: Mapping[str, str]) -> str:
    """The address that a preset's requests go to. UsageError for one that only the repository vouches for.

    Without one in the preset it is `ANTHROPIC_BASE_URL` of the environment, else Anthropic's own.
    """
    if not preset.base_url:
        own = environ.get(OWN, "").strip() or ANTHROPIC
        _plain(own, OWN)
        return own
    origin = _plain(preset.base_url, f"[llm.presets.{name}] base_url")
    said = [_origin(one.strip()) for one in environ.get(ALLOWED, "").split(",")]
    if origin == _origin(ANTHROPIC) or is_loopback(origin) or origin in said:
        return preset.base_url
    told = f"[llm.presets.{name}] base_url {preset.base_url} would be sent your key, and only the repository says so"
    raise UsageError(told, f"if you trust it: export {ALLOWED}={origin}")


def key(name: str, preset: Preset, environ: Mapping[str, str]) -> str:
    """The key, from the variable that the preset names. CannotRun where there is none that could be sent."""
    variable = preset.api_key_env
    value = environ.get(variable, "").strip()
    if not value:
        raise CannotRun(
            f"preset '{name}' asks {preset.model} and {variable} holds no key",
            f"export {variable}=…, or use what needs no model: leave out --live, --preset offline, "
            '[verify] judge = "offline"',
        )
    if not re.fullmatch(r"[!-~]+", value):
        raise CannotRun(f"{variable} holds something that cannot be a key", f"export {variable}=… again, on one line")
    return value


def _plain(address: str, where: str) -> str:
    origin = _origin(address)
    if origin is None:
        told = f"{where} {address!r} is not the plain address of a server"
        raise UsageError(told, "write it as https://host or https://host:port/path")
    return origin


def _origin(address: str) -> str | None:
    """Scheme, host and port in one spelling; None for what is no plain address."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return None
    scheme, host = found[1].lower(), found[2].lower()
    port = found[3] or _PORTS[scheme]
    return f"{scheme}://{host}" if port == _PORTS[scheme] else f"{scheme}://{host}:{port}"


def is_loopback(origin: str) -> bool:
    """Whether an address is this machine's own."""
    found = _ADDRESS.fullmatch(origin)
    assert found is not None
    host = found[2].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

"""What a part is made of: its own table, a shipped one, or its own table with the rest from a shipped one."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Material
from detent.model.document.shipped_materials import KEYS, SHEETS, SHIPPED


def material_of(mechanism: Mechanism, part: str) -> Material | None:
    """Of a part; None where it names none."""
    body = mechanism.parts.get(part)
    return None if body is None or body.material is None else material_named(mechanism, body.material)


def material_named(mechanism: Mechanism, name: str) -> Material | None:
    """By its name: the document's own comes first; what it leaves out is that of its `library`."""
    own = mechanism.materials.get(name)
    if own is None:
        return SHIPPED.get(name)
    shipped = SHIPPED.get(own.library or "")
    if shipped is None:
        return own
    missing = {key: getattr(shipped, key) for key in KEYS if getattr(own, key) is None}
    return replace(own, **missing)


def shipped_values(mechanism: Mechanism, part: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Of these values of a part's material those that are shipped, in words, each with its source."""
    body = mechanism.parts.get(part)
    if body is None or body.material is None:
        return ()
    own = mechanism.materials.get(body.material)
    name = body.material if own is None else own.library
    material = material_of(mechanism, part)
    if material is None or name not in SHEETS:
        return ()
    sources = SHEETS[name].sources
    told = [key for key in keys if own is None or getattr(own, key) is None]
    return tuple(f"{key} of {name}, {_told(material, key)}: {sources[key]}" for key in told)


def _told(material: Material, key: str) -> str:
    value = float(getattr(material, key))
    if key == "density":
        return f"{value:g} kg/m³"
    return f"{100 * value:.3g} %" if key.startswith("strain") else f"{value / 1e6:g} MPa"

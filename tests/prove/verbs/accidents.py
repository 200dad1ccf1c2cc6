"""What can happen to a machine's tables: numbers, references, joints, drives, shapes, masses, questions."""

from __future__ import annotations

import copy
import random
from typing import Any

from detent.model.document import JOINT_TYPES

Tables = dict[str, Any]

WILD: list[Any] = [
    *(0, 1, -1, 1e308, -1e308, 1e-308, 5e-324, 1e7, -1e7, 1e16, 1e-9, 1e100, 1e-100, 10**30, 0.1, 1e6),
    *("1/3", "-7/3", "1.4142135623730951", "2.2360679774997896964", "1e300", "123456789/987654321"),
]
JOINTS = list(JOINT_TYPES)
DEGREES = [0, 1e-9, 30, 90, 180, 359.999999, 360, 720, 3600, 36000, 3.6e6, 1e12, -90, -1e9, 1e308]
STEPS = [1, 2, 3, 7, 36, 360, 1000, 10_000, 1_000_000, 10_000_000]
POINTS: list[list[float]] = [[0, 0], [1, 0], [0, 1], [1e-9, 0], [1e7, 0], [-3, 4], [0.70710678, 0.70710678]]


def happen(machine: Tables, chance: random.Random) -> None:
    """One accident; one that needs what the machine does not have is another."""
    for _ in range(20):
        if chance.choice(ACCIDENTS)(machine, chance) is not False:
            return


def leaves(data: Any, of: tuple[type, ...], skip: tuple[str, ...] = ("format", "view")) -> Any:
    """Every place (container, key) that holds a value of these types."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(entries):
        if key in skip:
            continue
        if isinstance(value, of) and not isinstance(value, bool):
            yield data, key
        else:
            yield from leaves(value, of, skip)


def _entry(machine: Tables, key: str, chance: random.Random) -> Any:
    """A random table among those named by a key, or None."""
    tables = machine.get(key)
    return tables[chance.choice(sorted(tables))] if isinstance(tables, dict) and tables else None


def _markers(machine: Tables) -> list[str]:
    return [f"{p}.{m}" for p, part in machine.get("parts", {}).items() for m in part.get("markers", {})]


def _vector(machine: Tables, chance: random.Random) -> list[Any]:
    size = 3 if machine.get("dimension") == 3 else 2  # what is written there may be an accident too
    if chance.random() < 0.2:
        return [chance.choice(WILD) for _ in range(size)]
    return [*chance.choice(POINTS), 0.5][:size]


def a_number(machine: Tables, chance: random.Random) -> bool | None:
    places = list(leaves(machine, (int, float)))
    if not places:
        return False
    owner, key = chance.choice(places)
    value = owner[key]
    kind = chance.randrange(6)
    if kind == 0:
        owner[key] = value * (1 + chance.choice([1e-12, 1e-6, 1e-3, 0.1, -0.1]))
    elif kind == 1:
        owner[key] = round(value * chance.uniform(0.5, 2), chance.randint(0, 9))
    elif kind == 2:
        owner[key] = -value
    elif kind == 3:
        owner[key] = value * chance.choice([1e3, 1e-3, 25.4, 1e6, 1e-6])
    elif kind == 4:
        owner[key] = int(value) if abs(value) < 1e18 else 7
    else:
        owner[key] = chance.choice(WILD)
    return None


def a_reference(machine: Tables, chance: random.Random) -> bool | None:
    places = list(leaves({k: machine[k] for k in ("joints", "drives", "contacts") if k in machine}, (str,)))
    names = _markers(machine) + list(machine.get("parts", {})) + list(machine.get("joints", {}))
    if not places or not names:
        return False
    owner, key = chance.choice(places)
    owner[key] = chance.choice([*names, "nowhere.A"])
    return None


def a_joint(machine: Tables, chance: random.Random) -> bool | None:
    joints = machine.setdefault("joints", {})
    markers = _markers(machine)
    name = chance.choice(sorted(joints)) if joints else None
    kind = chance.randrange(7)
    if kind == 0 and len(markers) > 1:
        joints[f"n{len(joints)}"] = {"type": chance.choice(JOINTS), "between": chance.sample(markers, 2)}
    elif name is None:
        return False
    elif kind == 1:
        del joints[name]
    elif kind == 2:
        joints[f"d{len(joints)}"] = copy.deepcopy(joints[name])
    elif kind == 3:
        joints[name]["type"] = chance.choice(JOINTS)
    elif kind == 4 and markers:
        joints[name]["between"][chance.randrange(2)] = chance.choice(markers)
    elif kind == 5:
        joints[name]["along"] = chance.choice(["x", "y", "z", _vector(machine, chance)])
    else:
        joints[name]["between"].reverse()
    return None


def a_joint_detail(machine: Tables, chance: random.Random) -> bool | None:
    joint = _entry(machine, "joints", chance)
    if joint is None:
        return False
    low, high = chance.choice(DEGREES), chance.choice(DEGREES)
    joint |= chance.choice(
        [
            {"limits": {"min_deg": low, "max_deg": high}},
            {"limits": {"min": chance.choice(WILD), "max": chance.choice(WILD)}},
            {"spring": {"stiffness": chance.choice(WILD), "rest": chance.choice(WILD)}},
            {"spring": {"stiffness": 10, "rest_deg": low}},
            {"damping": chance.choice(WILD)},
            {"ratio": chance.choice(WILD)},
            {"value_deg": low},
            {"stiffness": [chance.choice(WILD)] * chance.choice([1, 3, 6])},
            {"at": _vector(machine, chance)},
            _elastic(chance),
        ]
    )
    return None


def _elastic(chance: random.Random) -> Tables:
    """An elastic joint on a beam, a plate or a matrix with directions of its own, one number of it wild."""
    beam = {"length": 4, "height": [2, 1], "width": 3, "modulus": 1e9}
    plate = {"sides": [3, 4], "thickness": 1, "modulus": 1e9, "at": [2, 3], "clamped": ["x=0"]}
    plate |= chance.choice(
        [{}, {"footprint": [1, 1]}, {"knots": [[1], [2]]}, {"poisson": chance.choice(WILD)}]
    )
    key, table = chance.choice([("beam", beam), ("plate", plate)])
    if chance.random() < 0.5:
        table[chance.choice(["modulus", "length" if key == "beam" else "thickness"])] = chance.choice(WILD)
    free = chance.choice([["x", "turn_z"], ["y"], ["z", "turn_x", "turn_y"], []])
    given = {"stiffness": [chance.choice(WILD)] * len(free), "free": free}
    return {"type": "elastic"} | chance.choice([{key: table}, given])


def a_drive(machine: Tables, chance: random.Random) -> bool | None:
    drives = machine.setdefault("drives", {})
    drive = _entry(machine, "drives", chance)
    if drive is None or chance.random() < 0.2:
        joints, markers, parts = (
            list(machine.get("joints", {})),
            _markers(machine),
            list(machine.get("parts", {})),
        )
        steps = chance.choice(STEPS)
        new: list[Tables] = [
            *({"joint": j, "from_deg": 0, "to_deg": chance.choice(DEGREES), "steps": steps} for j in joints),
            *({"joint": j, "from": 0, "to": chance.choice(WILD), "steps": steps} for j in joints),
            *({"marker": m, "path": [_vector(machine, chance) for _ in range(3)]} for m in markers),
            *({"part": p, "legs": [{"velocity": _vector(machine, chance), "for": 1}]} for p in parts),
        ]
        if not new:
            return False
        drives[f"n{len(drives)}"] = chance.choice(new)
        return None
    kind = chance.randrange(6)
    if kind == 0:
        drive["steps"] = chance.choice(STEPS)
    elif kind == 1:
        drive[chance.choice(["to_deg", "from_deg"])] = chance.choice(DEGREES)
    elif kind == 2:
        drive[chance.choice(["to", "from", "speed", "torque", "speed_deg"])] = chance.choice(WILD)
    elif kind == 3 and drive.get("legs"):
        drive["legs"] = drive["legs"] * chance.choice([2, 3, 20])
    elif kind == 4 and drive.get("legs"):
        leg = chance.choice(drive["legs"])
        leg |= chance.choice(
            [
                {"velocity": _vector(machine, chance)},
                {"for": chance.choice(WILD)},
                {"distance": chance.choice(WILD)},
                {"ramp": chance.choice(WILD)},
                {"back": True},
            ]
        )
    else:
        drive["inputs"] = [chance.choice(WILD) for _ in range(chance.choice([0, 1, 2, 9]))]
        for key in ("from", "to", "from_deg", "to_deg", "steps"):
            drive.pop(key, None)
    return None


def a_part(machine: Tables, chance: random.Random) -> bool | None:
    parts = machine.get("parts")
    if not parts:
        return False
    name = chance.choice(sorted(parts))
    part = parts[name]
    kind = chance.randrange(8)
    if kind == 0:
        del parts[name]
    elif kind == 1:
        part["fixed"] = not part.get("fixed", False)
    elif kind == 2:
        part["pose"] = {"at": _vector(machine, chance), "turn_deg": chance.choice(DEGREES)}
    elif kind == 3:
        part[chance.choice(["mass", "inertia", "density"])] = chance.choice(WILD)
    elif kind == 4 and part.get("markers"):
        part["markers"][chance.choice(sorted(part["markers"]))] = _vector(machine, chance)
    elif kind == 5:
        parts[chance.choice(["a", "Ω", "x" * 300, "a b", "a.b", "ground"])] = parts.pop(name)
    elif kind == 6:
        parts[f"twin{len(parts)}"] = copy.deepcopy(part)
    else:
        part["center"] = _vector(machine, chance)
        part["mass"] = chance.choice([0, 1, *WILD])
    return None


def the_whole(machine: Tables, chance: random.Random) -> bool | None:
    kind = chance.randrange(6)
    if kind == 0:
        machine["units"] = chance.choice(["m", "mm", "in", "1", "cm"])
    elif kind == 1:
        machine["dimension"] = 5 - machine.get("dimension", 2)
    elif kind == 2:
        machine["gravity"] = _vector(machine, chance)
    elif kind == 3:
        machine.pop(chance.choice(["joints", "drives", "parts", "contacts", "touching", "ask"]), None)
    elif kind == 4:
        machine["start"] = {
            j: {"at_deg": chance.choice(DEGREES)} for j in list(machine.get("joints", {}))[:1]
        }
    else:
        machine["title"] = chance.choice(["", "\x1b[31m", "Ω" * 200, "<script>", 'a"b'])
    return None


def a_touch(machine: Tables, chance: random.Random) -> bool | None:
    parts = list(machine.get("parts", {}))
    if len(parts) < 2:
        return False
    touching = machine.setdefault("touching", {})
    pair = ":".join(chance.sample(parts, 2))
    kind = chance.randrange(4)
    if kind == 0:
        touching["friction"] = chance.choice(WILD)
    elif kind == 1:
        touching.setdefault("ignore", []).append(pair)
    elif kind == 2:
        touching.setdefault("pairs", {})[pair] = {"friction": chance.choice(WILD)}
    else:
        contact = {"between": chance.sample(parts, 2), "point": _vector(machine, chance)}
        machine.setdefault("contacts", []).append({**contact, "normal": _vector(machine, chance)})
    return None


def a_contact(machine: Tables, chance: random.Random) -> bool | None:
    contacts, rows = machine.get("contacts"), machine.get("rows")
    if contacts:
        contact = chance.choice(contacts)
        kind = chance.randrange(3)
        if kind == 0:
            contacts.extend(copy.deepcopy(contacts[: chance.choice([1, 3, 30])]))
        elif kind == 1:
            contact[chance.choice(["normal", "point"])] = _vector(machine, chance)
        else:
            contact["friction"] = chance.choice(WILD)
    elif rows and rows.get("normal"):
        chance.choice(rows["normal"])[0] = chance.choice(WILD)
        if chance.random() < 0.5:
            rows["normal"] = rows["normal"] * chance.choice([2, 5])
    else:
        return False
    return None


def _shapes(data: Any) -> Any:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "shape" and isinstance(value, dict):
                yield value
            if key in ("union", "difference", "intersection") and isinstance(value, list):
                yield from (v for v in value if isinstance(v, dict))
            yield from _shapes(value)
    elif isinstance(data, list):
        for each in data:
            yield from _shapes(each)


def _bad_outline(outline: list[Any], chance: random.Random) -> list[Any]:
    at = chance.randrange(len(outline))
    first, second = outline[at], outline[(at + 1) % len(outline)]
    kind = chance.randrange(7)
    if kind == 0:  # a corner doubled
        return [*outline[:at], first, *outline[at:]]
    if kind == 1:  # a point on the side
        middle = [(float(a) + float(b)) / 2 for a, b in zip(first, second, strict=True)]
        return [*outline[: at + 1], middle, *outline[at + 1 :]]
    if kind == 2:  # a tiny side
        return [*outline[:at], [float(first[0]) + 1e-9, *first[1:]], *outline[at:]]
    if kind == 3:  # no area
        return [[n, 0, *first[2:]] for n in range(len(outline))]
    if kind == 4:  # touches itself
        return [*outline[:at], chance.choice(outline), *outline[at:]]
    if kind == 5:
        return outline[: chance.randrange(4)]
    return outline[::-1]


def a_shape(machine: Tables, chance: random.Random) -> bool | None:
    shapes = list(_shapes(machine))
    if not shapes:
        part = _entry(machine, "parts", chance)
        if part is None:
            return False
        part["shape"] = {"outline": [[0, 0], [4, 0], [4, 3]]}
        return None
    shape = chance.choice(shapes)
    was = copy.deepcopy(shape)
    kind = chance.randrange(9)
    if kind == 0:
        first = copy.deepcopy(shapes[0])  # may hold this very shape
        shape.clear()
        operation = chance.choice(["union", "difference", "intersection"])
        shape[operation] = [was, copy.deepcopy(chance.choice([was, first]))]
    elif kind == 1:
        shape["repeat"] = {
            "count": chance.choice([1, 2, 5, 50, 1000, 100_000]),
            "step": _vector(machine, chance),
        }
    elif kind == 2:
        shape["repeat"] = {"count": chance.choice([2, 3, 60])}
    elif kind == 3:
        shape["moves"] = [{"move": _vector(machine, chance)}, {"turn_deg": chance.choice(DEGREES)}]
    elif kind == 4:
        shape.clear()
        shape |= chance.choice(
            [{"circle": chance.choice(WILD)}, {"segment": [[0, 0], _vector(machine, chance)]}]
        )
    elif kind == 5:
        shape.clear()
        shape |= chance.choice([{"block": [1, 2, 3]}, {"sphere": 2}, {"torus": {"radius": 3, "tube": 1}}])
        shape["edges"] = [{"face": "+z", "round": chance.choice(WILD)}] if chance.random() < 0.5 else []
    elif shape.get("outline"):
        shape["outline"] = _bad_outline(shape["outline"], chance)
    elif (shape.get("prism") or {}).get("outline"):
        shape["prism"]["outline"] = _bad_outline(shape["prism"]["outline"], chance)
    else:
        shape.clear()
        shape |= {"union": []}
    return None


def a_question(machine: Tables, chance: random.Random) -> bool | None:
    markers, parts = _markers(machine), list(machine.get("parts", {}))
    wild = chance.choice(WILD)
    machine["ask"] = chance.choice(
        [
            {"move": {"breaking": chance.choice(["limiting", "searching", "stretching"])}},
            {"move": {"assemblies": True}},
            {"move": {"method": chance.choice(["kinematic", "newton_svd", "penalty", "quasistatic"])}},
            {"move": {"loads": {m: _vector(machine, chance) for m in markers[:1]}}},
            {"mate": {"exact": chance.random() < 0.5, "ratio": wild}},
            {"mate": {"until": wild, "apart": chance.choice(WILD)}},
            {"mate": {"directions": {"from_deg": 0, "to_deg": 90, "steps": chance.choice(STEPS)}}},
            {"mate": {"goal": {"outline": [[0, 0], [1, 0], [1, 1]]}}},
            {"mate": {"uncertain": {"start": {"outline": [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]}}}},
            {
                "modes": {
                    "kind": chance.choice(["all", "contacting_separating"]),
                    "planes": chance.choice([0, 1, 3, 64]),
                }
            },
            {"modes": {"cone": chance.choice(["planes", "nonlinear"]), "exact": chance.random() < 0.3}},
            {"modes": {"load": {p: [wild, 0, -1] for p in parts[:2]}}},
        ]
    )
    return None


ACCIDENTS = [
    *(
        a_number,
        a_number,
        a_number,
        a_reference,
        a_joint,
        a_joint,
        a_joint_detail,
        a_drive,
        a_drive,
        a_part,
        a_part,
    ),
    *(the_whole, a_touch, a_contact, a_shape, a_shape, a_question),
]

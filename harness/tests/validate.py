#!/usr/bin/env python3
"""validate.py - does a JSON file follow a JSON Schema (the part of draft-07 that heddle uses)?

usage: validate.py SCHEMA FILE...
Prints a line for each thing that is wrong; exit 0 if there is none. A keyword
that this does not know is an error: a schema must not be followed in part."""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {"$schema", "$ref", "title", "description", "definitions", "type", "enum", "const", "required",
         "properties", "additionalProperties", "items", "minItems", "maxItems", "minimum", "pattern",
         "anyOf", "allOf", "if", "then", "else"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def same(a, b):
    return type(a) is type(b) and a == b


def check(value, rule, root, at):
    """Yields what is wrong with `value`."""
    for word in rule:
        if word not in WORDS:
            yield f"{at}: the schema uses {word}, which this validator does not know"
    if "$ref" in rule:
        target = root
        for part in rule["$ref"].lstrip("#/").split("/"):
            target = target[part]
        yield from check(value, target, root, at)
    if "type" in rule:
        names = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
        if not any(is_type(value, name) for name in names):
            yield f"{at}: expected {' or '.join(names)}, found {json.dumps(value)[:60]}"
            return
    if "const" in rule and not same(value, rule["const"]):
        yield f"{at}: expected {json.dumps(rule['const'])}, found {json.dumps(value)[:60]}"
    if "enum" in rule and not any(same(value, each) for each in rule["enum"]):
        yield f"{at}: {json.dumps(value)[:60]} is none of {rule['enum']}"
    if "minimum" in rule and is_type(value, "number") and value < rule["minimum"]:
        yield f"{at}: {value} is less than {rule['minimum']}"
    if "pattern" in rule and isinstance(value, str) and not re.search(rule["pattern"], value):
        yield f"{at}: {value[:60]!r} does not match {rule['pattern']}"
    if isinstance(value, dict):
        known = rule.get("properties", {})
        for key in rule.get("required", []):
            if key not in value:
                yield f"{at}: {key} is missing"
        for key, each in value.items():
            if key in known:
                yield from check(each, known[key], root, f"{at}.{key}")
            elif rule.get("additionalProperties") is False:
                yield f"{at}: {key} is not in the schema"
    if isinstance(value, list):
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
            yield f"{at}: {len(value)} items"
        items = rule.get("items")
        for i, each in enumerate(value):
            if isinstance(items, dict):
                yield from check(each, items, root, f"{at}[{i}]")
            elif isinstance(items, list) and i < len(items):
                yield from check(each, items[i], root, f"{at}[{i}]")
    for each in rule.get("allOf", []):
        yield from check(value, each, root, at)
    if "anyOf" in rule and all(any(True for _ in check(value, each, root, at)) for each in rule["anyOf"]):
        yield f"{at}: fits none of {len(rule['anyOf'])} forms: {json.dumps(value)[:60]}"
    if "if" in rule:
        fits = not any(True for _ in check(value, rule["if"], root, at))
        yield from check(value, rule.get("then" if fits else "else", {}), root, at)


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key twice")
    return dict(pairs)


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    status = 0
    for name in sys.argv[2:]:
        try:
            document = json.load(open(name, encoding="utf-8"), object_pairs_hook=unique)
        except (OSError, ValueError) as why:
            print(f"{name}: {why}")
            status = 1
            continue
        for wrong in check(document, schema, schema, name):
            print(wrong)
            status = 1
    return status


sys.exit(main())

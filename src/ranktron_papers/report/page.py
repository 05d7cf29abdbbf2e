"""The report of a reproduction: one self-contained HTML page, made from the result and the figures."""

from __future__ import annotations

from html import escape
from typing import Any

from ranktron.report.parts import boxed, cell, clock, document, heading

from ..judging import CONSISTENT, DEPENDS, FAILS, HOLDS, NOT_COMPARABLE, UNDECIDED
from ..tables import CLAIM_WORDS, NOT_RUN, NumberRow, format_mean, headline
from .sections import KINDS, chip, experiment, printed_text, verdict
from .style import RULES

MEANINGS = {
    HOLDS: "the measurements confirm the claim, by a rule that is part of the experiment's code",
    CONSISTENT: "the claim is about every stream or about a limit, which no run can prove, and no trial contradicts it",
    FAILS: "the measurements contradict the claim",
    DEPENDS: "the paper leaves something open, such as a step size, and it holds for some choices only, which the reason names",
    UNDECIDED: "chance explains the difference, the stream is too short, or a quick run has too few trials",
    NOT_COMPARABLE: "for a printed number: ours was measured on another data set than the paper's",
    NOT_RUN: "its data are missing, a quick run leaves it out, or it failed; the reason says which",
}


def page(result: dict[str, Any], figures: dict[str, bytes]) -> str:
    """The HTML page; ``figures`` are SVG images by the names of experiments."""
    papers = "".join(_paper(paper, result, figures) for paper in result["papers"])
    body = f"{_head(result)}{_what(result)}{_summary(result)}{papers}{_how(result)}{_foot(result)}"
    return document("The papers, reproduced", result["version"], body, rules=RULES)


def _head(result: dict[str, Any]) -> str:
    records = result["experiments"]
    facts = {
        "papers": len(result["papers"]),
        "experiments": len(records),
        "trials": sum(one["trials"] for one in records),
        "claims": sum(result["claims"].values()),
        "printed numbers": sum(result["printed"].values()),
    }
    shown = "".join(f"<li><b>{count:,}</b><span>{name}</span></li>" for name, count in facts.items())
    quick = (
        '<p class="warning">This was a quick run, of the first trials only. It may leave claims undecided; '
        "the same command without --quick continues with the full run.</p>"
    )
    return (
        f'<header><p class="eyebrow">Ranktron</p><h1>The papers, reproduced</h1><ul class="facts">{shown}</ul>'
        f'<p class="headline">{escape(headline(result["claims"], result["printed"], result["on_other_data"]))}</p>'
        f"{_tally(result['claims'])}{_tally(result['printed'], True)}{quick if result['run'] == 'quick' else ''}"
        "</header>"
    )


def _tally(counts: dict[str, int], is_number: bool = False) -> str:
    """The verdicts on claims, or on printed numbers, as a bar."""
    if not sum(counts.values()):
        return ""
    parts = "".join(f'<span class="{KINDS[word]}" style="flex:{count}"></span>' for word, count in counts.items() if count)
    words = "".join(f"<li>{chip(word, is_number)} {count}</li>" for word, count in counts.items() if count)
    what = "<li>printed numbers:</li>" if is_number else "<li>claims:</li>"
    return f'<div class="tally" aria-hidden="true">{parts}</div><ul class="words">{what}{words}</ul>'


def _what(result: dict[str, Any]) -> str:
    used = [word for word in MEANINGS if result["claims"].get(word) or result["printed"].get(word)] or list(MEANINGS)
    meanings = "".join(f"<dt>{chip(word)}</dt><dd>{escape(MEANINGS[word])}</dd>" for word in used)
    return (
        "<section><h2>What this is</h2><p>The experiments of papers on learning to rate and to rank were run again by Ranktron's "
        "own implementation of their algorithms. Every number that a paper prints stands beside the one that was measured, and "
        "every claim beside a verdict.</p><p>An experiment is repeated in trials that differ in their seeds only: 0, 1, 2 "
        "and so on. Numbers are means over trials, ± half the width of their 95 % Student interval. Numbers are compared within "
        "trials, so chance that both share cancels. A printed number agrees with the measured one where their intervals "
        "overlap, or the digits that it is printed with. Where an experiment runs on another data set than the paper's, every "
        f"verdict says so, and its printed numbers are not compared.</p><dl>{meanings}</dl></section>"
    )


def _summary(result: dict[str, Any]) -> str:
    head = [heading("paper", True), heading("experiments"), *(heading(word) for word in CLAIM_WORDS)]
    rows = []
    for paper in result["papers"]:
        name = f'<th scope="row" class="text long"><a href="#{escape(paper["name"])}">{escape(paper["title"])}</a></th>'
        counts = "".join(cell(str(paper["claims"][word]) if paper["claims"][word] else "–") for word in CLAIM_WORDS)
        rows.append(f"<tr>{name}{cell(str(len(paper['experiments'])))}{counts}</tr>")
    table = boxed("Claims by paper", head, rows)
    return f"<section><h2>Summary</h2>{table}{_exceptions(result)}{_differing(result)}{_not_run(result)}</section>"


def _exceptions(result: dict[str, Any]) -> str:
    """The claims that do not hold or depend on something."""
    rows = [
        f"<tr>{cell(verdict(claim), 'text')}{cell(escape(claim['claim']), 'claim')}"
        f"""{cell(f'<a href="#{escape(one["name"])}">{escape(one["title"])}</a>', "from")}</tr>"""
        for word in (FAILS, DEPENDS)
        for one in result["experiments"]
        for claim in one["claims"]
        if claim["verdict"] == word
    ]
    head = [heading("verdict", True), heading("claim", True), heading("experiment", True)]
    return boxed("What does not hold, and what depends on something", head, rows, "stack") if rows else ""


def _differing(result: dict[str, Any]) -> str:
    """The printed numbers that were not reproduced."""
    rows = [
        f'<tr><th scope="row" class="long">{escape(row.number)}</th>'
        f"{cell(printed_text(row))}{cell(format_mean(row.mean, row.half))}"
        f"""{cell(f'<a href="#{escape(one["name"])}">{escape(one["title"])}</a>', "from")}</tr>"""
        for one in result["experiments"]
        for row in (NumberRow(**fields) for fields in one["numbers"])
        if row.printed is not None and row.verdict == FAILS
    ]
    head = [heading("number", True), heading("printed"), heading("measured"), heading("experiment", True)]
    return boxed("Printed numbers that differ", head, rows) if rows else ""


def _not_run(result: dict[str, Any]) -> str:
    """Why experiments were not run, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for one in result["experiments"]:
        if one["status"] != "run":
            reasons.setdefault(one["why"], []).append(one["title"])
    rows = "".join(
        f"<dt>{escape('; '.join(titles))}</dt><dd>{escape(why[:1].upper() + why[1:].rstrip('.'))}.</dd>"
        for why, titles in reasons.items()
    )
    warning = f'<p class="warning">{escape(result["figures"])}.</p>' if result["figures"] else ""
    return f"{f'<h3>Not run</h3><dl>{rows}</dl>' if rows else ''}{warning}"


def _paper(paper: dict[str, Any], result: dict[str, Any], figures: dict[str, bytes]) -> str:
    own = [one for one in result["experiments"] if one["paper"] == paper["name"]]
    by = " · ".join(filter(None, [paper["authors"], paper["published"]]))
    about = f"<p>{escape(paper['about'])}</p>" if paper["about"] else ""
    parts = "".join(experiment(one, figures.get(one["name"])) for one in own)
    return (
        f'<section id="{escape(paper["name"])}"><h2 class="paper">{escape(paper["title"])}</h2><p class="by">{escape(by)}</p>'
        f"{about}{_tally(paper['claims'])}{parts}</section>"
    )


def _how(result: dict[str, Any]) -> str:
    facts = {
        "run": f"{result['run']}, on {result['jobs']} process{'es' if result['jobs'] > 1 else ''} of one thread each",
        "time": f"{clock(result['seconds'])}, for {clock(sum(one['work_seconds'] for one in result['experiments']))} of trials, "
        "without repeating those that were stored before",
        "machine": result["machine"],
        "version": f"ranktron {result['version']}",
        "date": result["date"],
        "beside this page": "numbers.csv has every number and every point of every curve, claims.csv every claim with its "
        "verdict, figures/ the figures as PNG and SVG, trials/ every trial.",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items())
    command = f"<h3>Command</h3><pre><code>{escape(result['line'])}</code></pre>"
    return f"<section><h2>How it was run</h2><dl>{rows}</dl>{command}</section>"


def _foot(result: dict[str, Any]) -> str:
    facts = [f"ranktron {result['version']}", result["date"], f"peak memory {result['peak_memory_bytes'] / 1e6:,.0f} MB"]
    return f"<footer>{escape(' · '.join(facts))}</footer>"

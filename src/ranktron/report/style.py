"""The style sheet of reports: light and dark, for wide and narrow screens and for print."""

from __future__ import annotations

# Distinct on black and on white, and for readers who cannot distinguish red and green. They repeat, dashed, from the ninth on.
COLOURS = ("#3562c0", "#e46a0b", "#0c8656", "#a2688d", "#ea1150", "#3794d0", "#6f35ea", "#935008")
LIGHT = {
    "bg": "#ffffff",
    "panel": "#f5f6f8",
    "text": "#1a1e24",
    "muted": "#56606c",
    "line": "#d5dae1",
    "rest": "#a8b0ba",
    "good": "#0b6b46",
    "open": "#7a4b00",
}
DARK = {
    "bg": "#11151a",
    "panel": "#1a2028",
    "text": "#e7eaee",
    "muted": "#a3adb9",
    "line": "#333c47",
    "rest": "#5b6673",
    "good": "#5fd3a2",
    "open": "#f0bf6a",
}
# The same on a dark page.
DARK_COLOURS = ("#86b0fa", "#ffa92b", "#3bc281", "#e565a9", "#e8663f", "#6bf9fb", "#8f7bff", "#d6e87d")


def _variables(scheme: dict[str, str], colours: tuple[str, ...]) -> str:
    named = scheme | {f"c{number}": colour for number, colour in enumerate(colours)}
    return ";".join(f"--{name}:{value}" for name, value in named.items())


def style() -> str:
    """The style sheet."""
    curves = "".join(f".c{number}{{--own:var(--c{number})}}" for number in range(len(COLOURS)))
    light, dark = _variables(LIGHT, COLOURS), _variables(DARK, DARK_COLOURS)
    schemes = f":root{{color-scheme:light dark;{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f"{schemes}{_RULES}{curves}@media print{{:root{{color-scheme:light;{light}}}{_PRINT}}}"


_RULES = """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.55 system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 20px 56px}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 6px;overflow-wrap:anywhere;letter-spacing:-.01em}
h2{font-size:1.2rem;margin:44px 0 10px}
h3{font-size:1rem;margin:24px 0 6px}
p{margin:0 0 12px;max-width:72ch;overflow-wrap:anywhere}
.eyebrow,.muted,caption{color:var(--muted)}
.eyebrow{margin:0 0 4px;font-size:.85rem;letter-spacing:.06em;text-transform:uppercase}
.headline,.warning{padding:14px 18px;background:var(--panel);border-left:4px solid var(--c0);border-radius:6px;max-width:none}
.headline{font-size:1.15rem;margin:18px 0 0}
.warning{border-color:var(--c1);padding:6px 14px;margin-top:12px}
.facts{display:flex;flex-wrap:wrap;gap:8px 28px;margin:20px 0 0;padding:0;list-style:none}
.facts b{display:block;font-size:1.25rem;font-variant-numeric:tabular-nums}
.facts span{color:var(--muted);font-size:.85rem}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
pre{background:var(--panel);padding:12px 14px;border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;margin:0 0 12px}

.figure{position:relative;margin:0}
.chart{display:block;width:100%;height:auto;touch-action:pan-y}
.chart.narrow{display:none;max-width:520px;margin:0 auto}
.legend{display:none;flex-wrap:wrap;gap:4px 16px;list-style:none;padding:0;margin:10px 0 0;font-size:.85rem}
.grid{stroke:var(--line);stroke-width:1;fill:none}
.axis{stroke:var(--muted);stroke-width:1}
.tick{fill:var(--muted);font-size:12px;font-variant-numeric:tabular-nums}
.name{fill:var(--text);font-size:12.5px}
.narrow .name,.narrow .tick{font-size:11px}
.name.best{font-weight:700}
.curve{stroke:var(--own);stroke-width:1.8;fill:none;stroke-linejoin:round}
.curve.best{stroke-width:3}
.band{fill:var(--own);opacity:.16}
.tie{stroke:var(--own);stroke-width:1;fill:none;opacity:.6}
.rest{--own:var(--rest)}
.curve.rest{stroke-width:1}
.rule{stroke:var(--muted);stroke-width:1;stroke-dasharray:3 3}
.chart.lit .curve,.chart.lit .band,.chart.lit .end{opacity:.13}
.chart.lit .lit,.chart.lit .end.lit .curve{opacity:1}
.chart.lit .band.lit{opacity:.25}
.tip{position:absolute;top:8px;display:none;pointer-events:none;max-width:290px;padding:8px 10px;border:1px solid var(--line);
border-radius:6px;background:var(--bg);box-shadow:0 4px 16px #0003;font-size:.8rem;line-height:1.45}
.tip div{display:flex;gap:8px;align-items:center;white-space:nowrap}
.tip span{flex:1;overflow:hidden;text-overflow:ellipsis}
.tip b{font-variant-numeric:tabular-nums}

.box{overflow-x:auto;border:1px solid var(--line);border-radius:8px;margin:0 0 12px}
.box:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:10px 12px;font-size:.85rem}
th,td{padding:7px 10px;text-align:right;border-top:1px solid var(--line);vertical-align:top;white-space:nowrap}
thead th{border-top:0;color:var(--muted);font-weight:600;font-size:.9em;background:var(--panel)}
th.text,td.text{text-align:left}
th.wrap,td.wrap{white-space:normal;min-width:200px;overflow-wrap:break-word}
tbody th{font-weight:400}
tr.winner td,tr.winner th{font-weight:700}
.entry{display:flex;gap:8px;align-items:baseline}
.entry .swatch{position:relative;top:-2px}
.half{color:var(--muted);font-weight:400;font-size:.9em}
.verdict{font-size:.9em;font-weight:600;white-space:nowrap;color:var(--muted)}
.verdict.best{color:var(--good)}
.verdict.open{color:var(--open)}
.whiskers{width:90px;height:16px;display:block;margin-top:3px}
.whisker{stroke:var(--text);stroke-width:2;stroke-linecap:round}
.dot{fill:var(--own)}
.strip{display:block}
.small{font-size:9.5px}
.swatch{width:22px;height:8px;flex:none;vertical-align:middle}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:6px 20px;margin:0 0 16px}
dt{color:var(--muted);max-width:40ch;overflow-wrap:anywhere}
dd{margin:0;overflow-wrap:anywhere}
.bar{display:inline-block;height:10px;border-radius:2px;background:var(--c0);min-width:1px;vertical-align:baseline}
details{margin:12px 0}
summary{cursor:pointer;color:var(--muted)}
details .box{margin-top:10px}
footer{margin-top:48px;padding-top:14px;border-top:1px solid var(--line);color:var(--muted);font-size:.85rem}

@media (max-width:759px){
main{padding:22px 16px 40px}
h1{font-size:1.4rem}
h2{margin-top:34px}
.chart.wide{display:none}
.chart.narrow{display:block}
.legend{display:flex}
dl{grid-template-columns:minmax(0,1fr);gap:2px}
dd{margin-bottom:8px}
th,td{padding:6px 9px}
code{font-size:.8em}
td.code{min-width:330px}
}
"""

_PRINT = """
@page{margin:14mm}
body{font-size:10pt}
main{max-width:none;padding:0}
.chart.wide{display:block}
.chart.narrow,.legend,details,.tip{display:none}
.box{overflow:visible;border:0}
table{font-size:7.5pt}
th,td{padding:3px 4px;white-space:normal}
th.wrap,td.wrap{min-width:0}
th.wrap{min-width:120px}
dl{grid-template-columns:max-content minmax(0,1fr);gap:4px 16px}
dd{margin:0}
code{font-size:1em}
pre{font-size:8pt}
.whiskers{width:56px}
caption{padding-left:0}
.number{white-space:nowrap}
h2,h3{break-after:avoid}
tr,figure,.headline,dl{break-inside:avoid}
thead{display:table-header-group}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
"""

"""The CSS rules of a reproduction's report, beside those that all reports share."""

from __future__ import annotations

RULES = """
:root{--bad:#a3263a;--hint:#2f5597}
@media (prefers-color-scheme:dark){:root{--bad:#ff8d9b;--hint:#93b7ff}}
h2.paper{font-size:1.45rem;margin-top:64px;padding-top:22px;border-top:2px solid var(--line);overflow-wrap:anywhere}
h3.experiment{font-size:1.15rem;margin:40px 0 6px;overflow-wrap:anywhere}
h4{font-size:.95rem;margin:22px 0 8px}
a{color:var(--hint)}
.by{color:var(--muted);margin:-4px 0 12px}
.tally{display:flex;height:14px;border-radius:7px;overflow:hidden;margin:16px 0 0;background:var(--panel);gap:2px}
.tally span{background:var(--own)}
.words{display:flex;flex-wrap:wrap;gap:6px 20px;list-style:none;margin:10px 0 0;padding:0;font-size:.9rem}
.chip{display:inline-block;padding:1px 9px;border-radius:99px;border:1px solid var(--own);color:var(--own);font-size:.82rem;
font-weight:600;white-space:nowrap}
.holds{--own:var(--good)}
.consistent{--own:var(--good)}
.chip.consistent{border-style:dashed}
.tally .consistent{opacity:.5}
.fails{--own:var(--bad)}
.depends{--own:var(--open)}
.undecided{--own:var(--hint)}
.notrun,.otherdata{--own:var(--muted)}
.card{background:#fff;border:1px solid var(--line);border-radius:8px;margin:14px 0;padding:10px;overflow-x:auto}
.card img{display:block;width:100%;max-width:920px;height:auto;margin:0 auto}
.facts-line{color:var(--muted);font-size:.88rem}
.source{color:var(--muted);font-size:.88em;display:block}
.data{max-width:130px;white-space:normal;overflow-wrap:anywhere;margin:0 0 4px}
td.claim{width:38%;min-width:250px;white-space:normal;overflow-wrap:anywhere;text-align:left}
td.reason{min-width:300px;white-space:normal;overflow-wrap:anywhere;text-align:left}
td.from{min-width:160px;white-space:normal;overflow-wrap:anywhere;text-align:left;color:var(--muted)}
details thead th{min-width:86px;white-space:normal}
th.long{min-width:150px;white-space:normal;overflow-wrap:anywhere;text-align:left}
@media screen and (max-width:759px){
h2.paper{font-size:1.25rem;margin-top:48px}
.card{padding:6px}
.card img{min-width:560px}
.stack{border:0;overflow:visible}
.stack table,.stack tbody,.stack tr,.stack td{display:block}
.stack thead{display:none}
.stack caption{display:block;padding:0 0 6px}
.stack tr{border:1px solid var(--line);border-radius:8px;padding:10px 12px;margin:0 0 10px}
.stack td{border:0;padding:2px 0;min-width:0;width:auto}
}
@media print{
:root{--bad:#a3263a;--hint:#2f5597}
.card{border:0;padding:0;break-inside:avoid}
.card img{max-width:150mm}
td.claim,td.reason,td.from,details thead th{min-width:86px;white-space:normal}
th.long{min-width:0}
h2.paper{break-before:page;border:0;padding:0;margin-top:0}
h2,h3,h4,caption,thead,.words{break-after:avoid}
.chip{font-size:1em;padding:0 6px}
.source{font-size:.95em}
}
"""

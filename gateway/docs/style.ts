/** The style sheet of the documentation: the dashboard's colors, sizes and fonts, in the system's light or dark theme. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f8f8, #0c0f10);
  --surface: light-dark(#ffffff, #14191a);
  --sunken: light-dark(#f1f3f3, #1b2122);
  --line: light-dark(#e4e8e7, #262e2f);
  --control-line: light-dark(#7f8b89, #748386);
  --text: light-dark(#131817, #ecf1f0);
  --muted: light-dark(#56625f, #9caaa8);
  --accent: light-dark(#0b6b5d, #5cc9b5);
  --accent-strong: light-dark(#08554a, #85dfcf);
  --accent-soft: light-dark(#e3f2ef, #15302c);
  --mono: "Geist Mono Variable", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --head: 3.5rem;
}
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--head) + 1rem); }
body { margin: 0; background: var(--surface); color: var(--text); font: 1rem/1.65 "Geist Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100%; -webkit-font-smoothing: antialiased; font-feature-settings: "cv11", "ss03"; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
a:hover { color: var(--accent-strong); text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999em; z-index: 2; }
.skip:focus { left: 1em; top: .6em; background: var(--surface); padding: .4em .8em; border-radius: 8px; }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: .75rem 1.5rem; align-items: center; min-height: var(--head); padding: .5rem 1.5rem; background: var(--ground); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 650; letter-spacing: -.015em; color: var(--text); text-decoration: none; }
.brand img { width: 22px; height: 22px; background: none; }
.to-pages { display: none; }
.to-dashboard { font-size: .875rem; white-space: nowrap; }
form { display: flex; gap: .5rem; align-items: center; margin-left: auto; }
input, button { font: inherit; font-size: .875rem; color: var(--text); background: var(--surface); border: 1px solid var(--control-line); border-radius: 8px; min-height: 34px; padding: .2rem .65rem; min-width: 0; }
input { width: 18rem; }
input::placeholder { color: var(--muted); opacity: 1; }
button { font-weight: 550; cursor: pointer; border-color: var(--line); }
button:hover { background: var(--sunken); }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); align-items: start; }
#pages { grid-column: 1; grid-row: 1; position: sticky; top: var(--head); height: calc(100vh - var(--head)); overflow-y: auto; scrollbar-width: thin; padding: .5rem .75rem 2rem; background: var(--ground); border-right: 1px solid var(--line); font-size: .875rem; }
#pages h2 { margin: 1rem 0 .25rem; padding: 0 .5rem; font-size: .75rem; font-weight: 550; letter-spacing: 0; color: var(--muted); }
nav ul { list-style: none; margin: 0; padding: 0; }
#pages a { display: block; padding: .2rem .5rem; border-radius: 6px; color: var(--text); text-decoration: none; }
#pages a:hover { background: var(--sunken); }
#pages a[aria-current] { background: color-mix(in srgb, var(--accent) 11%, transparent); color: var(--accent-strong); font-weight: 550; }
.contents { max-height: 22em; overflow-y: auto; margin: 1.25rem 0; padding: .75rem 1rem; background: var(--ground); border: 1px solid var(--line); border-radius: 12px; font-size: .875rem; }
.contents p { margin: 0 0 .25rem; font-size: .75rem; font-weight: 550; color: var(--muted); }
.contents ul { columns: 18em 2; }
.contents li { break-inside: avoid; }
.contents a { display: inline-block; padding: .15rem 0; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.contents .inner { padding-left: 1.2em; }
main { grid-column: 2; grid-row: 1; width: 100%; min-width: 0; max-width: 52rem; margin: 0 auto; padding: 1.5rem 2rem 4rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.3; font-weight: 600; letter-spacing: -.015em; text-wrap: balance; }
h1 { margin: .5rem 0 1rem; font-size: 1.75rem; letter-spacing: -.02em; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
p, li { text-wrap: pretty; }
ul, ol { padding-left: 1.4em; }
li + li { margin-top: .25em; }
nav li + li { margin-top: 0; }
:is(h2, h3, tr):target { background: var(--accent-soft); box-shadow: 0 0 0 6px var(--accent-soft); border-radius: 2px; }
tr:target { box-shadow: none; }
img { max-width: 100%; background: #fff; border-radius: 8px; }
code { font-family: var(--mono); font-size: .875em; background: var(--sunken); border-radius: 4px; padding: .1em .3em; }
a code { color: inherit; }
pre { overflow-x: auto; margin: 1rem 0; padding: .85rem 1rem; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; font-size: .875rem; line-height: 1.6; scrollbar-width: thin; }
pre code { background: none; padding: 0; font-size: inherit; }
.code { position: relative; }
.copy { position: absolute; top: .5rem; right: .5rem; min-height: 0; padding: .1rem .5rem; font-size: .75rem; background: var(--surface); }
.only-read { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.table { overflow-x: auto; margin: 1rem 0; scrollbar-width: thin; background: linear-gradient(to right, var(--surface) 70%, transparent) left / 20px 100% no-repeat local, linear-gradient(to left, var(--surface) 70%, transparent) right / 20px 100% no-repeat local, linear-gradient(to right, var(--line), transparent) left / 12px 100% no-repeat scroll, linear-gradient(to left, var(--line), transparent) right / 12px 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.5; }
th, td { border-bottom: 1px solid var(--line); padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; overflow-wrap: normal; }
th { font-size: .75rem; font-weight: 550; color: var(--muted); }
th:last-child, td:last-child { padding-right: 0; }
footer { padding: 1rem 1.5rem; border-top: 1px solid var(--line); color: var(--muted); font-size: .8125rem; }
@media (max-width: 50em) {
  html { scroll-padding-top: 1rem; }
  header { position: static; flex-wrap: wrap; padding: .6rem 1rem; }
  .to-pages { display: inline; margin-left: auto; font-size: .875rem; }
  form { flex: 1 0 100%; order: 1; }
  input { flex: 1; width: auto; }
  .columns { display: block; }
  main { padding: .75rem 1rem 2.5rem; }
  h1 { font-size: 1.5rem; }
  #pages { position: static; height: auto; border-right: 0; border-top: 1px solid var(--line); padding-bottom: 1.5rem; }
  #pages ul { columns: 10em 2; }
  #pages a { padding: .35rem .5rem; }
  .code pre { padding-top: 2.4rem; }
  td { min-width: 6.25rem; }
}
@media print { header, nav, .skip, .copy { display: none; } .columns { display: block; } }
`;

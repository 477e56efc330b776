import type { DocGroup } from './doc-pages.ts';
import { escapeHtml } from './markdown.ts';

type LayoutParts = {
  readonly path: string;
  readonly title: string;
  /** The content, as HTML. */
  readonly main: string;
  readonly groups: readonly DocGroup[];
  /** The content of the search field. */
  readonly query?: string;
  /** Whether the page is also available as Markdown. */
  readonly asMarkdown: boolean;
};

/** The layout of a page with search and navigation. No page has a script. */
export function renderLayout({ path, title, main, groups, query = '', asMarkdown }: LayoutParts): string {
  const markdown = asMarkdown ? `<link rel="alternate" type="text/markdown" href="${escapeHtml(path)}.md">\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} – Tollfree</title>
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/style.css">
${markdown}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs">Tollfree docs</a>
<form role="search" action="/docs/search">
<label for="query">Search the docs</label>
<input id="query" name="q" type="search" value="${escapeHtml(query)}">
<button>Search</button>
</form>
<a class="to-pages" href="#pages">All pages</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${main}</main>
<nav id="pages" aria-label="Pages">
${groups.map((group) => renderGroup(group, path)).join('')}<h2>API</h2>
<ul>
<li><a href="/docs/api"${path === '/docs/api' ? ' aria-current="page"' : ''}>API reference</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
</ul>
</nav>
</div>
</body>
</html>
`;
}

function renderGroup({ title, pages }: DocGroup, current: string): string {
  const items = pages.map((page) => {
    const mark = page.path === current ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(page.path)}"${mark}>${escapeHtml(page.title)}</a></li>\n`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('')}</ul>\n`;
}

/** The only style sheet, with the system's light or dark colors. */
export const docsStyle = `:root { color-scheme: light dark; --text: #1b1f24; --soft: #4c5561; --back: #fff; --raised: #f4f6f8; --line: #d3d9e0; --link: #0b57b0; }
@media (prefers-color-scheme: dark) { :root { --text: #e8ebef; --soft: #b3bcc7; --back: #14171b; --raised: #1f242a; --line: #3a424c; --link: #8ab8ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999em; }
.skip:focus { left: 1em; top: 1em; background: var(--back); padding: .5em; }
header { display: flex; flex-wrap: wrap; gap: .5em 1.5em; align-items: center; padding: .75em 1.5em; border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; color: var(--text); text-decoration: none; }
form { display: flex; flex-wrap: wrap; gap: .5em; align-items: center; margin-left: auto; }
label { color: var(--soft); font-size: .875em; }
input, button { font: inherit; color: var(--text); background: var(--raised); border: 1px solid var(--soft); border-radius: 6px; padding: .25em .6em; max-width: 100%; }
.columns { display: grid; grid-template-columns: 16em minmax(0, 1fr); gap: 2em; padding: 0 1.5em 3em; max-width: 78em; margin: auto; }
nav { grid-column: 1; grid-row: 1; font-size: .9em; padding-top: 1em; }
nav h2 { font-size: 1em; margin: 1.2em 0 .3em; border: 0; padding: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .2em 0; text-decoration: none; }
nav a[aria-current] { font-weight: 700; text-decoration: underline; }
main { grid-column: 2; grid-row: 1; min-width: 0; max-width: 52em; overflow-wrap: break-word; }
h1 { line-height: 1.2; }
h2 { margin-top: 2em; padding-bottom: .2em; border-bottom: 1px solid var(--line); }
img { max-width: 100%; background: #fff; }
code { font: .9em ui-monospace, monospace; background: var(--raised); border-radius: 4px; padding: .1em .3em; }
pre { overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 1em; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; margin: 1em 0; }
table { border-collapse: collapse; min-width: 60%; font-size: .95em; }
th, td { border: 1px solid var(--line); padding: .4em .6em; text-align: left; vertical-align: top; overflow-wrap: normal; }
th { background: var(--raised); }
.to-pages { display: none; }
@media (max-width: 50em) { .columns { display: block; } .to-pages { display: inline; } form { margin-left: 0; } }
@media print { header, nav, .skip { display: none; } .columns { display: block; } }
`;

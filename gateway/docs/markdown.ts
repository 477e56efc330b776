const itemStart = /^(?<mark>- |\d+\. +)(?<text>.*)$/;
const blockStart = /^(```|#{1,6} |\||<!--|- |\d+\. )/;

/** What is linked to in a page: headings as on GitHub, and rows about a name where no heading has it. */
type Anchors = {
  /** How many headings so far have an anchor. */
  readonly counts: Map<string, number>;
  readonly headings: ReadonlySet<string>;
  readonly rows: Set<string>;
};

/** A parsed block: its HTML, and the line after it. */
type Block = { readonly html: string; readonly next: number };

/** Renders the subset of Markdown that our pages use: headings, paragraphs, lists, tables, code, links. */
export function renderMarkdown(text: string, resolve: ResolveLink): string {
  const headings = new Set([...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, title = '']) => anchorOf(title)));
  return renderBlocks(text.split('\n'), resolve, { counts: new Map(), headings, rows: new Set() });
}

/** The text without Markdown syntax, for searching and displaying. */
export function plainText(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/!?\[((?:[^\]`]|`[^`]*`)*)\]\([^)\s]+\)/g, '$1')
    .replace(/^(#+ |\|[-| ]+\|$|```.*$)/gm, '')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The anchor that GitHub gives to a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function renderBlocks(lines: readonly string[], resolve: ResolveLink, anchors: Anchors): string {
  let html = '';
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const block: Block = line.trim() === '' ? { html: '', next: at + 1 } : readBlock(lines, at, resolve, anchors);
    html += block.html;
    at = block.next;
  }
  return html;
}

function readBlock(lines: readonly string[], at: number, resolve: ResolveLink, anchors: Anchors): Block {
  const line = lines[at] ?? '';
  if (line.startsWith('```')) return readCode(lines, at);
  if (line.startsWith('<!--')) return { html: '', next: endOf(lines, at, (each) => each.includes('-->')) + 1 };
  if (line.startsWith('|')) return readTable(lines, at, resolve, anchors);
  if (itemStart.test(line)) return readList(lines, at, resolve, anchors);
  const heading = /^(?<marks>#{1,6}) (?<title>.*)$/.exec(line)?.groups;
  if (heading !== undefined) return { html: renderHeading(heading, resolve, anchors), next: at + 1 };
  const next = endOf(lines, at + 1, (each) => each.trim() === '' || blockStart.test(each));
  return { html: `<p>${renderInline(lines.slice(at, next).join('\n'), resolve)}</p>\n`, next };
}

/** The first matching line from the given one on, else the end. */
function endOf(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = lines.slice(from).findIndex(isEnd);
  return found === -1 ? lines.length : from + found;
}

function renderHeading(
  { marks = '', title = '' }: Readonly<Record<string, string>>,
  resolve: ResolveLink,
  anchors: Anchors,
): string {
  const anchor = anchorOf(title);
  const count = anchors.counts.get(anchor) ?? 0;
  anchors.counts.set(anchor, count + 1);
  const id = count === 0 ? anchor : `${anchor}-${count}`;
  return `<h${marks.length} id="${escapeHtml(id)}">${renderInline(title, resolve)}</h${marks.length}>\n`;
}

/** A wide code block scrolls, so it must be reachable by keyboard. */
function readCode(lines: readonly string[], at: number): Block {
  const end = endOf(lines, at + 1, (line) => line.startsWith('```'));
  const code = escapeHtml(lines.slice(at + 1, end).join('\n'));
  return { html: `<pre tabindex="0"><code>${code}</code></pre>\n`, next: end + 1 };
}

/** The cells of a row; a literal `|` is written `\|`. */
function cellsOf(row: string): readonly string[] {
  const cells = row.trim().split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/**
 * The anchors of a row about names such as settings, commands or alerts; without those that the page has already. Of
 * several names the later ones are written without what they share with the first: `tank show`, `entries`.
 */
function rowAnchors(row: string, { headings, rows }: Anchors): readonly string[] {
  const listed = /^\| (?<names>`[^`]+`(?:, `[^`]+`)*)/.exec(row)?.groups?.names ?? '';
  const [first = '', ...others] = [...listed.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replaceAll('[]', ''));
  const shared = /^.*[. ]/.exec(first)?.[0] ?? '';
  const names = [first, ...others.map((name) => (/[. ]/.test(name) ? name : `${shared}${name}`))];
  return names.flatMap((name) => {
    const anchor = /^[\w.-]+$/.test(name) ? name.toLowerCase() : anchorOf(name);
    if (anchor === '' || headings.has(anchor) || rows.has(anchor)) return [];
    rows.add(anchor);
    return [anchor];
  });
}

function readTable(lines: readonly string[], at: number, resolve: ResolveLink, anchors: Anchors): Block {
  const next = endOf(lines, at, (line) => !line.startsWith('|'));
  const [head = '', , ...rows] = lines.slice(at, next);
  const titles = cellsOf(head);
  const renderRow = (row: string): string => {
    const [anchor, ...more] = rowAnchors(row, anchors).map((id) => ` id="${escapeHtml(id)}"`);
    const marks = more.map((id) => `<span${id}></span>`).join('');
    const cells = cellsOf(row).map(
      (cell, column) => `<td>${column === 0 ? marks : ''}${renderInline(cell, resolve)}</td>`,
    );
    return `<tr${anchor ?? ''}>${cells.join('')}</tr>\n`;
  };
  // An empty header cell is rendered as a normal cell.
  const header = titles.map((title) =>
    title === '' ? '<td></td>' : `<th scope="col">${renderInline(title, resolve)}</th>`,
  );
  const named = titles.filter((title) => title !== '').join(', ');
  const label = escapeHtml(`Table: ${named === '' ? 'without a header' : named}`);
  const body = rows.map(renderRow).join('');
  const table = `<table>\n<thead><tr>${header.join('')}</tr></thead>\n<tbody>\n${body}</tbody>\n</table>`;
  return { html: `<div class="table" role="group" aria-label="${label}" tabindex="0">${table}</div>\n`, next };
}

function readList(lines: readonly string[], at: number, resolve: ResolveLink, anchors: Anchors): Block {
  const numbered = /^\d/.test(lines[at] ?? '');
  const items: string[][] = [];
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? '';
    const groups = itemStart.exec(line)?.groups;
    if (groups !== undefined && /^\d/.test(line) === numbered) items.push([groups.text ?? '']);
    else if (line.startsWith('  ')) items.at(-1)?.push(line.replace(/^ {2,3}/, ''));
    else if (line.trim() === '' && /^( {2}|- |\d+\. )/.test(lines[next + 1] ?? '')) items.at(-1)?.push('');
    else break;
    next += 1;
  }
  const tag = numbered ? 'ol' : 'ul';
  const rendered = items.map((item) => `<li>${renderItem(item, resolve, anchors)}</li>\n`).join('');
  return { html: `<${tag}>\n${rendered}</${tag}>\n`, next };
}

/** An item with a single paragraph is rendered without paragraph tags. */
function renderItem(lines: readonly string[], resolve: ResolveLink, anchors: Anchors): string {
  const html = renderBlocks(lines, resolve, anchors).trimEnd();
  const single = /^<p>(?<text>(?:(?!<\/p>)[\s\S])*)<\/p>$/.exec(html)?.groups;
  return single?.text ?? html;
}

/** The target of a page's link; undefined if the service has no such page, and the link becomes plain text. */
type ResolveLink = (target: string) => string | undefined;

/** Code, an image or a link, bold text, emphasis: in this order, so that code is not parsed further. */
const tokens =
  /(?<ticks>`+)(?<code>.+?)\k<ticks>|(?<image>!?)\[(?<label>(?:[^\]`]|`[^`]*`)*)\]\((?<target>[^)\s]+)\)|\*\*(?<bold>.+?)\*\*|\*(?<soft>[^*\s](?:[^*]*[^*\s])?)\*/g;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text escaped for HTML, also for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** Inline Markdown as HTML. */
function renderInline(text: string, resolve: ResolveLink): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    html += escapeHtml(text.slice(end, match.index));
    html += renderToken(match.groups ?? {}, resolve);
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function renderToken(groups: Readonly<Record<string, string | undefined>>, resolve: ResolveLink): string {
  const { code, image, label = '', target, bold, soft } = groups;
  if (code !== undefined) return `<code>${escapeHtml(code.trim())}</code>`;
  if (bold !== undefined) return `<strong>${renderInline(bold, resolve)}</strong>`;
  if (target === undefined) return `<em>${renderInline(soft ?? '', resolve)}</em>`;
  const address = resolve(target);
  if (address === undefined) return renderInline(label, resolve);
  if (image === '!') return `<img src="${escapeHtml(address)}" alt="${escapeHtml(label)}">`;
  return `<a href="${escapeHtml(address)}">${renderInline(label, resolve)}</a>`;
}

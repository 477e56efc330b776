/** The target of a page's link; undefined if the service has no such page, and the link becomes plain text. */
export type ResolveLink = (target: string) => string | undefined;

/** Code, an image or a link, bold text, emphasis: in this order, so that code is not parsed further. */
const tokens =
  /(?<ticks>`+)(?<code>.+?)\k<ticks>|(?<image>!?)\[(?<label>(?:[^\]`]|`[^`]*`)*)\]\((?<target>[^)\s]+)\)|\*\*(?<bold>.+?)\*\*|\*(?<soft>[^*\s](?:[^*]*[^*\s])?)\*/g;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text escaped for HTML, also for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** Inline Markdown as HTML. */
export function renderInline(text: string, resolve: ResolveLink): string {
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

import type { DocPage } from './doc-page.ts';
import { type Documentation, resolveLink } from './doc-pages.ts';

/** Most links at the end of a page: more would be a second menu. */
const maxLinks = 3;

const heading = '## What next';

/**
 * The links at the end of a page of the index, as Markdown: the next page of the index, those that this one refers to most,
 * and the one before. Empty for a page that names its own, and for one that the index does not have.
 */
export function whatNext({ path, text }: DocPage, { groups }: Pick<Documentation, 'groups'>): string {
  const indexed = groups.flatMap(({ pages }) => pages);
  const at = indexed.findIndex((page) => page.path === path);
  const written = text();
  if (at === -1 || written.split('\n').includes(heading)) return '';
  const counts = countLinks(path, written);
  const others = indexed.filter((page) => page.path !== path && counts.has(page.path));
  const mostLinked = others.sort((one, other) => (counts.get(other.path) ?? 0) - (counts.get(one.path) ?? 0));
  const next = new Set([...indexed.slice(at + 1, at + 2), ...mostLinked, ...indexed.slice(at - 1, at)]);
  const lines = [...next].slice(0, maxLinks).map(({ title, path: to, about }) => `- [${title}](${to}): ${about}\n`);
  return `\n${heading}\n\n${lines.join('')}`;
}

/** How often a page links to each other one. */
function countLinks(page: string, text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    const path = resolveLink(page, target)?.replace(/#.*$/, '');
    if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

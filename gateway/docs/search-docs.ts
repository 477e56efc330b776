import { setImmediate } from 'node:timers/promises';
import type { DocPage } from './doc-page.ts';
import { anchorOf, plainText } from './markdown.ts';

/** A searchable part of a page, below one heading. */
export type DocSection = {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly lowerCase: string;
};

/** Longest part of a query that is read. */
export const maxQueryLength = 100;
const maxWords = 6;
const maxHits = 30;
const excerptLength = 220;

/** The sections of all pages, for {@link searchSections}. Yields to other requests between pages. */
export async function readSections(pages: Iterable<DocPage>): Promise<readonly DocSection[]> {
  const sections: DocSection[] = [];
  for (const page of pages) {
    sections.push(...sectionsOf(page));
    await setImmediate();
  }
  return sections;
}

function sectionsOf({ path, title, text }: DocPage): readonly DocSection[] {
  const parts = text().split(/^(?=#{2,4} )/m);
  return parts.map((part) => {
    const heading = /^#{2,4} (?<heading>.+)/.exec(part)?.groups?.heading;
    const plain = plainText(part);
    const name = heading === undefined ? title : `${title}: ${plainText(heading)}`;
    const address = heading === undefined ? path : `${path}#${anchorOf(heading)}`;
    return { path: address, title: name, text: plain, lowerCase: `${name} ${plain}`.toLowerCase() };
  });
}

/** The sections that contain every word of a query; those with more of the words in the title first. */
export function searchSections(sections: readonly DocSection[], query: string): readonly DocSection[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const rank = ({ title }: DocSection): number => words.filter((word) => title.toLowerCase().includes(word)).length;
  return sections
    .filter(({ lowerCase }) => words.every((word) => lowerCase.includes(word)))
    .map((section) => ({ section, rank: rank(section) }))
    .sort((one, other) => other.rank - one.rank)
    .slice(0, maxHits)
    .map(({ section }) => section);
}

/** The excerpt of a result: the text around the first word. */
export function excerptOf({ text }: DocSection, query: string): string {
  const [word = ''] = wordsOf(query);
  const at = Math.max(0, text.toLowerCase().indexOf(word) - excerptLength / 4);
  const part = text.slice(at, at + excerptLength);
  return `${at > 0 ? '… ' : ''}${part}${at + excerptLength < text.length ? ' …' : ''}`;
}

function wordsOf(query: string): readonly string[] {
  const words = query.slice(0, maxQueryLength).toLowerCase().split(/\s+/);
  return words.filter((word) => word !== '').slice(0, maxWords);
}

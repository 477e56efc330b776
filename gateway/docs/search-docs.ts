import { setImmediate } from 'node:timers/promises';
import type { DocPage } from './doc-page.ts';
import { anchorOf, plainText } from './markdown.ts';

/** A part of a page below one heading, with its words counted. */
type Section = {
  readonly page: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** How often each word is in the text. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  /** Codes among the first words of the text, and names that rows of its tables are about. */
  readonly entries: ReadonlySet<string>;
  readonly heading: ReadonlySet<string>;
  readonly named: PageWords;
};

/** What a page is called, and what else it is searched by. */
type PageWords = {
  readonly title: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
  readonly weight: number;
};

/** The sections of all pages, with what the rank of one depends on. */
export type SearchIndex = {
  readonly sections: readonly Section[];
  /** The sections that have a word: in their text, in their heading, in the title or the aliases of their page. */
  readonly having: ReadonlyMap<string, ReadonlySet<Section>>;
  /** Words of titles, aliases and headings: a mistyped word becomes the nearest of them. */
  readonly vocabulary: readonly string[];
  readonly meanLength: number;
};

/** A section that a search found. */
export type SearchHit = { readonly path: string; readonly title: string; readonly excerpt: string };

/** A page to search, with the line of the index about it and the group it is in, if the index has it. */
export type SearchedPage = { readonly page: DocPage; readonly about?: string; readonly group?: string };

/** Longest part of a query that is read, in characters. */
export const maxQueryLength = 100;
const maxWords = 8;
const maxHits = 15;
const excerptLength = 220;

const stopWords = new Set(
  'a an the of for to in on my is it and or how do does i we with from by per what are can'.split(' '),
);

/** Words that people use for one of the glossary. */
const synonyms: Readonly<Record<string, string>> = {
  quota: 'limit',
  cap: 'limit',
  prod: 'production',
  mainnet: 'production',
  jwt: 'ticket',
  auth: 'login',
  psql: 'postgresql',
  postgres: 'postgresql',
  k8s: 'kubernetes',
  topup: 'deposit',
  outage: 'down',
  crash: 'down',
  hack: 'attack',
};

/** How much the pages of a group count: who searches wants to do something, most often. */
const groupWeights: Readonly<Record<string, number>> = {
  Start: 1.2,
  'Use it': 1.15,
  'Run it': 1.15,
  Understand: 1,
  Reference: 1,
  Contribute: 0.5,
};
/** Pages that the index does not have: one for each operation of the API, programs to copy. */
const otherWeight = 0.4;

/** How much a word counts where it is part of the page's title, of its aliases, of the section's heading, or one of its entries. */
const titleScore = 6;
const aliasScore = 4;
const headingScore = 3;
const entryScore = 8;
/** A heading that has all words of the query and no other. */
const sameHeadingScore = 12;
/** Of sections that have every word. */
const allWordsFactor = 1.4;

/** Letters of a word in an address from which it may be a mistyped other one. */
const minMistypedInAddress = 5;
/** Of the score of the page that an address most likely meant: what another one needs to be offered too. */
const leastOfBest = 0.5;

/** Parameters of BM25, which counts a word less the more often it was counted, and the longer the section is. */
const saturation = 1.2;
const lengthShare = 0.75;

/** The words of a text in their basic form, with the parts of names like `trustedProxies`. */
function wordsOf(text: string): readonly string[] {
  const parts = text.replace(/\b\w*[a-z][A-Z]\w*/g, (name) => `${name} ${name.replace(/([a-z])([A-Z])/g, '$1 $2')}`);
  const found = parts.toLowerCase().match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu) ?? [];
  return found.flatMap((word) => (/[.-]/.test(word) ? [word, ...word.split(/[.-]/)] : [word])).map(stemOf);
}

/** A word without the endings of plurals and of -ing, so that these are found by each other. */
function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const single = word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
  return single.length < 5 ? single : single.replace(/ing$/, '').replace(/e$/, '');
}

/** Counts the words of all pages, for {@link searchDocs}. Yields to other requests between pages. */
export async function indexDocs(pages: Iterable<SearchedPage>): Promise<SearchIndex> {
  const sections: Section[] = [];
  for (const page of pages) {
    sections.push(...sectionsOf(page));
    await setImmediate();
  }
  const having = new Map<string, Set<Section>>();
  for (const section of sections) {
    const { counts, heading, named } = section;
    for (const word of [...counts.keys(), ...heading, ...named.title, ...named.aliases]) {
      const others = having.get(word) ?? new Set();
      having.set(word, others.add(section));
    }
  }
  const vocabulary = new Set(sections.flatMap(({ heading, named }) => [...heading, ...named.title, ...named.aliases]));
  const meanLength = sections.reduce((sum, { length }) => sum + length, 0) / Math.max(1, sections.length);
  return { sections, having, vocabulary: [...vocabulary], meanLength };
}

function sectionsOf({ page, about = '', group = '' }: SearchedPage): readonly Section[] {
  const { path, title, text } = page;
  const full = text();
  const aliases = /<!-- search: (?<words>[^>]*) -->/.exec(full)?.groups?.words ?? '';
  const named: PageWords = {
    title: new Set(wordsOf(title)),
    aliases: new Set(wordsOf(`${aliases} ${about}`)),
    weight: groupWeights[group] ?? otherWeight,
  };
  return full.split(/^(?=#{2,4} )/m).map((part) => {
    const heading = /^#{2,4} (?<heading>.+)/.exec(part)?.groups?.heading;
    const plain = plainText(part);
    const words = wordsOf(plainText(part.replace(/^#+ .*/m, '')));
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return {
      page: path,
      path: heading === undefined ? path : `${path}#${anchorOf(heading)}`,
      title: heading === undefined ? title : `${title}: ${plainText(heading)}`,
      text: plain,
      counts,
      length: words.length,
      entries: new Set([...words.slice(0, 4).filter((word) => /\d/.test(word)), ...rowNames(part)]),
      heading: new Set(heading === undefined ? [] : wordsOf(heading)),
      named,
    };
  });
}

/** The names in the first cells of tables, such as settings, also without the part that they belong to. */
function rowNames(text: string): readonly string[] {
  const names = [...text.matchAll(/^\| `([\w.]+)`/gm)].map(([, name = '']) => name.toLowerCase());
  return names.flatMap((name) => [name, name.replace(/^.*\./, '')]).map(stemOf);
}

/** The best section of each page that has words of a query, the best first. */
export function searchDocs(index: SearchIndex, query: string): readonly SearchHit[] {
  const words = query
    .slice(0, maxQueryLength)
    .split(/\s+/)
    .flatMap((part) => queryWords(index, part))
    .filter((word) => word.length > 1 && !stopWords.has(word))
    .slice(0, maxWords)
    .map((word) => knownWord(synonyms[word] ?? word, index.having, index.vocabulary));
  const best = new Map<string, { readonly section: Section; readonly score: number }>();
  for (const section of new Set(words.flatMap((word) => [...(index.having.get(word) ?? [])]))) {
    const score = scoreOf(index, section, words);
    if (score > (best.get(section.page)?.score ?? 0)) best.set(section.page, { section, score });
  }
  return [...best.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, maxHits)
    .map(({ section }) => ({ path: section.path, title: section.title, excerpt: excerptOf(section, query) }));
}

/**
 * The pages that an address without a page may have meant, the best first: those whose title or aliases have its words. The texts do
 * not count: an address names a page, and its words are on many.
 */
export function findNamedPages({ sections }: SearchIndex, address: string): readonly SearchHit[] {
  const pages = sections.filter(({ path, page }) => path === page);
  const names = new Set(pages.flatMap(({ named }) => [...named.title, ...named.aliases]));
  const words = [...new Set(wordsOf(address.slice(0, maxQueryLength)))]
    .filter((word) => word.length > 1 && !stopWords.has(word))
    .slice(0, maxWords)
    .map((word) => synonyms[word] ?? word)
    // “help” is not a mistyped “helm”.
    .map((word) => (word.length < minMistypedInAddress ? word : knownWord(word, names, names)));
  const found = pages
    .map((section) => ({ section, score: nameScore(section.named, words) }))
    .sort((one, other) => other.score - one.score);
  const least = leastOfBest * (found[0]?.score ?? 0);
  return found
    .filter(({ score }) => score > 0 && score >= least)
    .map(({ section }) => ({ path: section.page, title: section.title, excerpt: excerptOf(section, '') }));
}

/** How well words name a page. A title that they name completely counts twice. */
function nameScore({ title, aliases, weight }: PageWords, words: readonly string[]): number {
  const ofTitle = words.filter((word) => title.has(word)).length * titleScore;
  const ofAliases = words.filter((word) => aliases.has(word)).length * aliasScore;
  const isWhole = [...title].every((word) => words.includes(word));
  return (ofTitle * (isWhole ? 2 : 1) + ofAliases) * weight;
}

/** A name that is known as a whole stays whole: the parts of a setting are in many places. */
function queryWords({ having }: SearchIndex, part: string): readonly string[] {
  const whole = stemOf(part.toLowerCase());
  return having.has(whole) ? [whole] : wordsOf(part);
}

function scoreOf(index: SearchIndex, section: Section, words: readonly string[]): number {
  const { counts, entries, heading, named } = section;
  let score = 0;
  let found = 0;
  for (const word of words) {
    const here = [named.title.has(word), named.aliases.has(word), heading.has(word), counts.has(word)];
    if (here.some(Boolean)) found += 1;
    if (here[0]) score += titleScore;
    if (here[1]) score += aliasScore;
    if (here[2]) score += headingScore;
    if (entries.has(word)) score += entryScore;
    score += textScore(index, section, word);
  }
  if (words.length > 0 && words.length === heading.size && words.every((word) => heading.has(word))) {
    score += sameHeadingScore;
  }
  return score * named.weight * (found === words.length ? allWordsFactor : 1);
}

/** BM25: how rare a word is, times how often the section has it for its length. */
function textScore({ having, sections, meanLength }: SearchIndex, { counts, length }: Section, word: string): number {
  const count = counts.get(word) ?? 0;
  if (count === 0) return 0;
  const spread = having.get(word)?.size ?? 0;
  const rarity = Math.log(1 + (sections.length - spread + 0.5) / (spread + 0.5));
  const lengthFactor = 1 - lengthShare + (lengthShare * length) / meanLength;
  return (rarity * count * (saturation + 1)) / (count + saturation * lengthFactor);
}

/** The word itself where a page has it; else the nearest known one, with one mistake, or two from seven letters. */
function knownWord(word: string, knownWords: { has(word: string): boolean }, vocabulary: Iterable<string>): string {
  if (word.length < 4 || knownWords.has(word)) return word;
  const mostMistakes = word.length < 7 ? 1 : 2;
  let nearest = { word, mistakes: mostMistakes + 1 };
  for (const known of vocabulary) {
    if (Math.abs(known.length - word.length) > mostMistakes) continue;
    const mistakes = mistakesBetween(known, word);
    if (mistakes < nearest.mistakes) nearest = { word: known, mistakes };
  }
  return nearest.word;
}

/** How many letters have to be added, removed or replaced (Levenshtein). */
function mistakesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The text around the first word of the query that it has. */
function excerptOf({ text }: Section, query: string): string {
  const lowerCase = text.toLowerCase();
  const places = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 2 && lowerCase.includes(word));
  const [word] = places;
  const at = word === undefined ? 0 : Math.max(0, lowerCase.indexOf(word) - excerptLength / 4);
  const part = text.slice(at, at + excerptLength);
  return `${at > 0 ? '… ' : ''}${part}${at + excerptLength < text.length ? ' …' : ''}`;
}

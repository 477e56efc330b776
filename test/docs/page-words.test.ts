import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countWords } from '../../tools/prose/count-words.ts';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';

/**
 * How many words each page is to have (`target`), as a reader sees them, and the most it may have where a reader needs more (`most`), with
 * what needs them (`why`). Lower `most` with each page that gets shorter.
 */
const bounds: Readonly<Record<string, { readonly target: number; readonly most?: number; readonly why?: string }>> =
  JSON.parse(readFileSync(join(import.meta.dirname, 'page-words.json'), 'utf8'));

const pages = findMarkdownFiles().filter((page) => /^docs\/(?!skills\/)/.test(page));

function wordsOf(page: string): number {
  return countWords(readFileSync(join(root, page), 'utf8'));
}

test('every page has a bound on its words', () => {
  expect(pages.filter((page) => bounds[page] === undefined)).toEqual([]);
  expect(Object.keys(bounds).filter((page) => !pages.includes(page))).toEqual([]);
});

test('no page is longer than its bound: what a reader would not miss is cut before something is added', () => {
  const tooLong = Object.entries(bounds).flatMap(([page, { target, most = Math.floor(target * 1.1) }]) => {
    const words = wordsOf(page);
    return words > most ? [`${page}: ${words} words, at most ${most}`] : [];
  });
  expect(tooLong).toEqual([]);
});

test('a page that may be longer says what needs the words', () => {
  const silent = Object.entries(bounds).filter(([, { most, why }]) => (most === undefined) !== (why === undefined));
  expect(silent.map(([page]) => page)).toEqual([]);
});

test('counts the words that a reader sees, not the lines of tables and the marks around them', () => {
  const text =
    '<!-- search: gas -->\n\n# Gas – limits\n\n| a | `b c` |\n| --- | --- |\n\n```sh norun="no"\nls -la\n```\n<img src="a b">\n';
  expect(countWords(text)).toBe(7);
});

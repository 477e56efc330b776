import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';

const linkPattern = /\]\((?<target>[^)\s]+)\)/g;
const fencePattern = /^```[\s\S]*?^```/gm;

/** The anchors that a forge gives to the headings of a page. */
function anchorsOf(file: string): readonly string[] {
  const headings = readFileSync(file, 'utf8')
    .replace(fencePattern, '')
    .matchAll(/^#+ (?<heading>.+)$/gm);
  return [...headings].map(({ groups }) =>
    (groups?.heading ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** One line for each relative link of a page that leads nowhere. */
function findBrokenLinks(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(fencePattern, '');
  return [...text.matchAll(linkPattern)].flatMap(({ groups }) => {
    const target = groups?.target ?? '';
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#', 2);
    const file = path === '' ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(file)) return [`${page}: ${target}`];
    if (anchor === undefined || statSync(file).isDirectory() || anchorsOf(file).includes(anchor)) return [];
    return [`${page}: ${target} has no such heading`];
  });
}

test('relative links in Markdown files lead to files and headings that are there', () => {
  const pages = findMarkdownFiles();
  expect(pages).toContain('README.md');
  expect(pages.flatMap(findBrokenLinks)).toEqual([]);
});

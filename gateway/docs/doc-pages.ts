import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { apiPages } from './api-pages.ts';
import type { DocPage } from './doc-page.ts';

/** A group of the index, with its pages in order. */
export type DocGroup = { readonly title: string; readonly pages: readonly IndexedPage[] };
type IndexedPage = { readonly path: string; readonly title: string; readonly about: string };

export type Documentation = {
  readonly pages: ReadonlyMap<string, DocPage>;
  readonly groups: readonly DocGroup[];
  /** Pictures by where they are served. */
  readonly pictures: ReadonlyMap<string, Buffer>;
};

/** As deep below the repository as below the compiled program, which has a copy of it. */
const docsFolder = resolve(import.meta.dirname, '../../docs');

const indexEntry = /^- \[(?<title>[^\]]+)\]\((?<target>[^)]+)\): (?<about>.+)$/;

/** The page at a path of the folder: `README.md` is the index. */
function pathOf(name: string): string {
  return name === 'README.md' ? '/docs' : `/docs/${name.replace(/\.md$/, '')}`;
}

function titleOf(text: string): string {
  return /^# (?<title>.+)$/m.exec(text)?.groups?.title ?? 'Tollfree';
}

/** Reads the pages, those of the API reference among them, and the order that the index gives them. */
export function readDocumentation(folder: string = docsFolder): Documentation {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const paths = names.map((name) => name.replaceAll('\\', '/'));
  const written = paths
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ path: pathOf(name), text: readFileSync(resolve(folder, name), 'utf8') }));
  const pages = [...written.map(({ path, text }) => ({ path, title: titleOf(text), text: () => text })), ...apiPages()];
  const pictures = paths
    .filter((name) => name.endsWith('.svg'))
    .map((name) => [`/docs/${name}`, readFileSync(resolve(folder, name))] as const);
  return {
    pages: new Map(pages.map((page) => [page.path, page])),
    groups: readGroups(written.find(({ path }) => path === '/docs')?.text ?? ''),
    pictures: new Map(pictures),
  };
}

/** The groups of the index, which has a heading for each and a list of pages below it. */
function readGroups(index: string): readonly DocGroup[] {
  const [, ...sections] = index.split(/^## /m);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return { title, pages: lines.flatMap(readEntry) };
  });
}

function readEntry(line: string): readonly IndexedPage[] {
  const { title = '', target = '', about = '' } = indexEntry.exec(line)?.groups ?? {};
  const path = resolveLink('/docs', target);
  return path === undefined || title === '' ? [] : [{ path, title, about }];
}

/**
 * Where a link of a page leads when the pages are served: to another page without `.md`, to a picture, or out into the
 * web. Undefined for files of the repository, which the service does not have.
 */
export function resolveLink(page: string, target: string): string | undefined {
  if (/^(https?:|#)/.test(target)) return target;
  if (target.startsWith('/')) return target;
  const [file = '', anchor] = target.split('#', 2);
  // The index is the one page that is a folder, too.
  const folder = page === '/docs' ? '/docs' : posix.dirname(page);
  const full = posix.join(folder, file);
  if (!full.startsWith('/docs/') || !/\.(md|svg)$/.test(full)) return undefined;
  const path = full.endsWith('.svg') ? full : pathOf(full.slice('/docs/'.length));
  return anchor === undefined ? path : `${path}#${anchor}`;
}

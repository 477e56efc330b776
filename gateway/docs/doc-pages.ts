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
  /** Images and data by their URL path. */
  readonly files: ReadonlyMap<string, ServedFile>;
};

type ServedFile = { readonly type: string; readonly content: Buffer };

/** Files that are served as they are, by how their name ends. */
const fileTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

/** The folder has the same depth below the repository as below the compiled program, which has a copy of it. */
const docsFolder = resolve(import.meta.dirname, '../../docs');

/** The folder of the SDK's pages: next to the others in the compiled program, else where its sources are. */
function sdkFolderOf(docs: string): string {
  const copied = resolve(docs, 'sdk');
  return existsSync(copied) ? copied : resolve(docs, '../clients/sdk');
}

/** Where the repository has the SDK, as pages link to it. */
const sdkInRepository = '/clients/sdk/';

/** The pages of the SDK: how to use it, and each of its programs to copy. */
function readSdkPages(folder: string): readonly DocPage[] {
  if (!existsSync(resolve(folder, 'README.md'))) return [];
  const guide = readFileSync(resolve(folder, 'README.md'), 'utf8');
  const examples = readdirSync(resolve(folder, 'examples'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'))
    .sort();
  return [
    { path: '/docs/sdk', title: titleOf(guide), text: () => guide },
    ...examples.map((name) => ({
      path: examplePath(name),
      title: name,
      text: () => `# ${name}\n\n\`\`\`ts\n${readFileSync(resolve(folder, 'examples', name), 'utf8').trim()}\n\`\`\`\n`,
    })),
  ];
}

function examplePath(name: string): string {
  return `/docs/sdk/examples/${name.replace(/\.ts$/, '')}`;
}

const indexEntry = /^- \[(?<title>[^\]]+)\]\((?<target>[^)]+)\): (?<about>.+)$/;

/** The URL path of a file in the folder: `README.md` is the index. */
function pathOf(name: string): string {
  return name === 'README.md' ? '/docs' : `/docs/${name.replace(/\.md$/, '')}`;
}

function titleOf(text: string): string {
  return /^# (?<title>.+)$/m.exec(text)?.groups?.title ?? 'Tollfree';
}

/** Reads all pages, including the API reference, and the order that the index gives them. */
export function readDocumentation(folder: string = docsFolder): Documentation {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const paths = names.map((name) => name.replaceAll('\\', '/'));
  const written = paths
    // The SDK's are read apart, since they link from another folder.
    .filter((name) => name.endsWith('.md') && !name.startsWith('sdk/'))
    .map((name) => ({ path: pathOf(name), text: readFileSync(resolve(folder, name), 'utf8') }));
  const pages = [
    ...written.map(({ path, text }) => ({ path, title: titleOf(text), text: () => text })),
    ...readSdkPages(sdkFolderOf(folder)),
    ...apiPages(),
  ];
  const files = paths.flatMap((name) => {
    const type = fileTypes[posix.extname(name)];
    return type === undefined || name.startsWith('examples/')
      ? []
      : [[`/docs/${name}`, { type, content: readFileSync(resolve(folder, name)) }] as const];
  });
  return {
    pages: new Map(pages.map((page) => [page.path, page])),
    groups: readGroups(written.find(({ path }) => path === '/docs')?.text ?? ''),
    files: new Map(files),
  };
}

/** The groups of the index: a heading for each, followed by a list of pages. */
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
 * The target of a page's link when served: another page without `.md`, an image, or a URL. Undefined for files of the
 * repository, which the service does not serve.
 */
export function resolveLink(page: string, target: string): string | undefined {
  if (/^(https?:|#)/.test(target)) return target;
  if (target.startsWith('/')) return target;
  const [file = '', anchor] = target.split('#', 2);
  // The index is the only page that is also a folder.
  const folder = page === '/docs' ? '/docs' : page === '/docs/sdk' ? sdkInRepository : posix.dirname(page);
  const full = posix.join(folder, file);
  if (full.startsWith(sdkInRepository)) {
    const path = pathOfSdk(full.slice(sdkInRepository.length));
    return path === undefined || anchor === undefined ? path : `${path}#${anchor}`;
  }
  const ending = posix.extname(full);
  if (!full.startsWith('/docs/') || !(ending === '.md' || ending in fileTypes)) return undefined;
  const path = ending === '.md' ? pathOf(full.slice('/docs/'.length)) : full;
  return anchor === undefined ? path : `${path}#${anchor}`;
}

function pathOfSdk(name: string): string | undefined {
  if (name === 'README.md') return '/docs/sdk';
  const [, example] = /^examples\/(.+\.ts)$/.exec(name) ?? [];
  return example === undefined ? undefined : examplePath(example);
}

import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { counted } from '@tollfree/contract/counted';
import { managementErrors } from '@tollfree/contract/errors';
import { policyFilePath } from '@tollfree/contract/policy-file';
import type { Express, Request, Response } from 'express';
import type { DashboardFiles } from '../dashboard-routes.ts';
import { answerOtherMethods, retryAfter, sendError, sendJsonText } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/caller-address.ts';
import { readContractDocument } from './contract-documents.ts';
import { copyScript } from './copy-script.ts';
import { type DashboardFont, findFonts, fontFaces, preloadFonts } from './dashboard-fonts.ts';
import type { DocPage } from './doc-page.ts';
import { type DocGroup, type Documentation, readDocumentation, resolveLink } from './doc-pages.ts';
import { escapeHtml, renderMarkdown } from './markdown.ts';
import { findMovedPage } from './moved-pages.ts';
import {
  findNamedPages,
  indexDocs,
  maxQueryLength,
  type SearchedPage,
  type SearchHit,
  searchDocs,
} from './search-docs.ts';
import { createSendDocument } from './send-document.ts';
import { docsStyle } from './style.ts';
import { whatNext } from './what-next.ts';

/** The pages only load their style sheet, their images, the dashboard's fonts, the search, and the script of copy buttons. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const pageHeaders = { 'content-security-policy': contentSecurityPolicy, 'x-frame-options': 'DENY' };
const htmlType = 'text/html; charset=utf-8';
const jsonType = 'application/json; charset=utf-8';
const textType = 'text/plain; charset=utf-8';

/** The results of a search, as page content. */
function renderHits(hits: readonly SearchHit[], query: string): string {
  const count = counted(hits.length, 'result');
  return `<h1>Search</h1>\n<p>${count} for “${escapeHtml(query)}”</p>\n${renderHitList(hits)}`;
}

function renderHitList(hits: readonly SearchHit[]): string {
  const items = hits.map(({ path, title, excerpt }) => {
    const link = `<a href="${escapeHtml(path)}">${escapeHtml(title)}</a>`;
    return `<li><p>${link}</p><p>${escapeHtml(excerpt)}</p></li>\n`;
  });
  return `<ol>\n${items.join('')}</ol>\n`;
}

/** Most pages that are offered instead of one that is not there. */
const mostOffered = 5;

/** Says that there is no such page, and offers what its address may have meant. */
function renderMissing(path: string, hits: readonly SearchHit[]): string {
  const offered = hits.slice(0, mostOffered);
  const others = offered.length === 0 ? '' : `<p>These may be meant:</p>\n${renderHitList(offered)}`;
  const shown = path.length > maxQueryLength ? `${path.slice(0, maxQueryLength)}…` : path;
  return `<h1>Page not found</h1>\n<p>There is no page at <code>${escapeHtml(shown)}</code>. Search the docs, or take a page of the menu.</p>\n${others}`;
}

/** Whether a person reads the answer in a browser. Programs get the error as JSON. */
function isForBrowser(request: Request): boolean {
  return request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
}

/** The words of an address such as `/docs/gas-tanks`. */
function wordsOfPath(path: string): string {
  return path
    .replace(/^\/docs\b/, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, maxQueryLength);
}

/** The package of the SDK that belongs to this service, as npm installs it from a URL. */
const sdkPath = '/sdk.tgz';

/** Made by the build, next to the documentation. Absent where the service runs from its sources. */
const sdkFile = fileURLToPath(new URL('../../sdk.tgz', import.meta.url));

/** What every page says of the service. */
type Served = {
  /** It ends every page. */
  readonly version: string | undefined;
  /** Whether the service has a dashboard, to which every page links. */
  readonly hasDashboard: boolean;
  readonly fonts: readonly DashboardFont[];
};

type DocsParts = Pick<Served, 'version'> &
  Pick<AccessLimits, 'takeDocument'> & {
    readonly clientAddress: ClientAddress;
    readonly dashboard: DashboardFiles | undefined;
  };

/** Everything that is counted and that only answers GET. */
const paths = ['/openapi.json', sdkPath, '/docs', '/docs/*path', '/llms.txt', '/llms-full.txt', policyFilePath];

/**
 * Serves the documentation at `/docs`: written pages, the API reference, and a search, each page also as Markdown;
 * `llms.txt` and `llms-full.txt` for language models, `/openapi.json` for programs, and the schema of policy files for
 * editors. Anyone may read them, at the rate of their address.
 */
export function addDocsRoutes(app: Express, { takeDocument, clientAddress, version, dashboard }: DocsParts): void {
  const served = { version, hasDashboard: dashboard !== undefined, fonts: findFonts(dashboard) };
  const index = JSON.stringify({ name: 'Tollfree', docs: '/docs', openapi: '/openapi.json' });
  app.get('/', (_request, response) => sendJsonText(response, 200, index));
  app.get([...paths, '/docs.md'], (request, response, next) => {
    const waitMs = takeDocument(clientAddress(request));
    if (waitMs > 0) sendError(response, managementErrors.tooManyRequests, retryAfter(waitMs));
    else next();
  });
  const sendMissing = addDocuments(app, once(readDocumentation), served);
  for (const path of ['/', ...paths]) answerOtherMethods(app, path, ['GET']);
  // Behind everything else, so that no other path is counted.
  app.use((request, response, next) => {
    if (!isForBrowser(request) || takeDocument(clientAddress(request)) > 0) next();
    else sendMissing(request, response).catch(next);
  });
}

type SendMissing = (request: Request, response: Response) => Promise<void>;

/** Caches a function's result at first use, so that startup does not wait for it. */
function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Adds the documents, and returns what answers a browser that asks for a page that is not there. */
function addDocuments(app: Express, documentation: () => Documentation, served: Served): SendMissing {
  const index = once(() => indexDocs(searchedPages(documentation())));
  const send = createSendDocument();
  /** A search takes a millisecond: each has a turn of its own. */
  let searching: Promise<unknown> = Promise.resolve();
  const search = async (query: string, find: typeof searchDocs): Promise<readonly SearchHit[]> => {
    const searched = await index();
    searching = searching.then(() => setImmediate());
    await searching;
    return find(searched, query);
  };
  const sendMissing: SendMissing = async ({ path }, response) => {
    const query = wordsOfPath(path);
    const main = renderMissing(path, query === '' ? [] : await search(query, findNamedPages));
    const { groups } = documentation();
    const html = renderLayout({ path, title: 'Page not found', main, groups, query, asMarkdown: false, served });
    const headers = { ...pageHeaders, 'cache-control': 'no-store', vary: 'accept' };
    response.status(404).set(headers).type('html').send(html);
  };
  const addFixed = (path: string, type: string, make: () => string): void => {
    app.get(path, (request, response) => send(request, response, path, () => ({ type, content: make() })));
  };
  addFixed('/openapi.json', jsonType, () => readContractDocument('openapi.json'));
  addFixed(policyFilePath, jsonType, () => readContractDocument('schemas/policy.json'));
  app.get(sdkPath, (request, response) => {
    if (!existsSync(sdkFile)) return sendError(response, managementErrors.pathNotFound);
    return send(request, response, sdkPath, () => ({ type: 'application/gzip', content: readFileSync(sdkFile) }));
  });
  addFixed('/llms.txt', textType, () => writeLlmsIndex(documentation()));
  addFixed('/llms-full.txt', textType, () => writeLlmsFull(documentation()));
  addFixed('/docs/style.css', 'text/css; charset=utf-8', () => fontFaces(served.fonts) + docsStyle);
  addFixed('/docs/copy.js', 'text/javascript; charset=utf-8', () => copyScript);
  app.get('/docs/search', async ({ query: { q } }, response) => {
    const query = typeof q === 'string' ? q.slice(0, maxQueryLength) : '';
    const { groups } = documentation();
    const main = renderHits(await search(query, searchDocs), query);
    const html = renderLayout({
      path: '/docs/search',
      title: 'Search',
      main,
      groups,
      query,
      asMarkdown: false,
      served,
    });
    response.set(pageHeaders).set('cache-control', 'no-store').type('html').send(html);
  });
  app.get(['/docs', '/docs.md', '/docs/*path'], async (request, response) => {
    const file = documentation().files.get(request.path);
    if (file !== undefined) return send(request, response, request.path, () => file);
    const isMarkdown = request.path.endsWith('.md');
    const path = request.path.replace(/\.md$/, '').replace(/\/(README)?$/, '');
    const page = documentation().pages.get(path);
    if (page === undefined) {
      const moved = findMovedPage(path, documentation());
      if (moved !== undefined) return response.redirect(301, isMarkdown ? moved.replace(/(#.*)?$/, '.md') : moved);
      return isForBrowser(request)
        ? sendMissing(request, response)
        : sendError(response, managementErrors.pathNotFound);
    }
    if (isMarkdown) {
      const type = 'text/markdown; charset=utf-8';
      return send(request, response, `${page.path}.md`, () => ({ type, content: page.text() }));
    }
    const render = () => ({ type: htmlType, content: renderPage(page, documentation(), served) });
    return send(request, response, page.path, render, pageHeaders);
  });
  return sendMissing;
}

/** All pages, with what the index says of them. */
export function searchedPages({ pages, groups }: Documentation): readonly SearchedPage[] {
  const indexed = new Map(
    groups.flatMap(({ title: group, pages: entries }) => entries.map(({ path, about }) => [path, { about, group }])),
  );
  return [...pages.values()].map((page) => ({ page, ...indexed.get(page.path) }));
}

function renderPage(page: DocPage, { groups }: Documentation, served: Served): string {
  const { path, title, text } = page;
  const main = renderMarkdown(text() + whatNext(page, { groups }), (target) => resolveLink(path, target));
  return renderLayout({ path, title, main, groups, asMarkdown: true, served });
}

const summary =
  'Self-hosted gas sponsorship for ERC-4337 smart accounts: an ERC-7677 paymaster service with policies, limits, webhooks, ' +
  'token payments and a ledger that reconciles with the chain.';

/** The index for language models (llms.txt): every page as Markdown, with a summary. */
function writeLlmsIndex({ groups }: Documentation): string {
  const sections = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${page.path}.md): ${page.about}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const reference =
    '- [API reference](/docs/api.md): every operation\n- [OpenAPI document](/openapi.json): for programs\n';
  return `# Tollfree\n\n> ${summary}\n\n${sections.join('\n')}\n## API\n\n${reference}`;
}

/** Pages that only help with a clone, which has them as files. */
const groupOfContributors = 'Contribute';

/**
 * Pages that are long tables for looking up one line, left out of the text for language models: the program, its metrics and
 * the repository tell the same.
 */
const tablesToLookUp: ReadonlySet<string> = new Set([
  '/docs/performance',
  '/docs/reference/alerts',
  '/docs/reference/cli',
  '/docs/reference/compatibility',
  '/docs/reference/gas-estimates',
  '/docs/reference/gas-limits',
  '/docs/reference/grpc',
  '/docs/reference/known-accounts',
  '/docs/reference/metrics',
]);

/** A list in a page that a command writes. What it lists is its name. */
const writtenList = /<!-- (?<name>[^:\n]+): written by [^\n]* -->\n[\s\S]*?<!-- end of \k<name> -->/g;

/** The one written list that a model needs to write a policy. */
const neededList = 'policy fields';

/** A page's text without the words that only a search needs, and without lists to look up, which its Markdown has. */
function textForModels({ path, text }: DocPage): string {
  return text()
    .replace(/^<!-- (search: |written by ).*\n/gm, '')
    .replace(writtenList, (list, name: string) => (name === neededList ? list : `Left out: ${name}, in ${path}.md`))
    .trim();
}

/** The pages for users and operators in one text (llms-full.txt), each after its address, and where the others are. */
function writeLlmsFull({ groups, pages }: Documentation): string {
  const entries = groups.filter(({ title }) => title !== groupOfContributors).flatMap((group) => group.pages);
  const texts = entries.flatMap(({ path }) => {
    const page = pages.get(path);
    return page === undefined || tablesToLookUp.has(path) ? [] : [`<!-- ${path}.md -->\n\n${textForModels(page)}\n`];
  });
  const others = entries
    .filter(({ path }) => tablesToLookUp.has(path))
    .map(({ path, title, about }) => `- [${title}](${path}.md): ${about}`);
  return `# Tollfree\n\n> ${summary}\n\nNot below, since one looks up a line of them:\n\n${others.join('\n')}\n\n${texts.join('\n')}`;
}

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
  readonly served: Served;
};

/** The product's icon, as the dashboard has it. */
const icon =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2032%2032%22%3E%3Ctitle%3ETollfree%3C/title%3E%3Crect%20width=%2232%22%20height=%2232%22%20rx=%228%22%20fill=%22%230b6b5d%22/%3E%3Cpath%20d=%22M8%2011h16M16%2011v13%22%20stroke=%22%23fff%22%20stroke-width=%224%22%20stroke-linecap=%22round%22/%3E%3C/svg%3E';

/** The layout of a page with search and navigation. All of it works without the script, which adds copy buttons. */
function renderLayout({ path, title, main, groups, query = '', asMarkdown, served }: LayoutParts): string {
  const { version, hasDashboard, fonts } = served;
  const markdown = asMarkdown ? `<link rel="alternate" type="text/markdown" href="${escapeHtml(path)}.md">\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} – Tollfree</title>
<link rel="icon" href="${icon}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${preloadFonts(fonts)}<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/copy.js" defer></script>
${markdown}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs"><img src="${icon}" alt="">Tollfree docs</a>
<a class="to-pages" href="#pages">All pages</a>
<form role="search" action="/docs/search">
<label for="query" class="only-read">Search the docs</label>
<input id="query" name="q" type="search" placeholder="Search the docs" value="${escapeHtml(query)}">
<button>Search</button>
</form>
${hasDashboard ? '<a class="to-dashboard" href="/dashboard/">Dashboard</a>\n' : ''}</header>
<div class="columns">
<main id="content" tabindex="-1">
${addContents(main)}</main>
<nav id="pages" aria-label="Pages">
${groups.map((group) => renderGroup(group, path)).join('')}<h2>API</h2>
<ul>
<li><a href="/docs/api"${path === '/docs/api' ? ' aria-current="page"' : ''}>API reference</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
</ul>
</nav>
</div>
${version === undefined ? '' : `<footer>Tollfree ${escapeHtml(version)}</footer>\n`}</body>
</html>
`;
}

/** Most sections that a page has without a list of them. */
const maxUnlistedSections = 3;

/** Puts the list of a page's sections below its title. What is rendered has one heading a line. */
function addContents(main: string): string {
  const headings = [...main.matchAll(/^<h(?<level>[23]) id="(?<id>[^"]*)">(?<title>.*)<\/h[23]>$/gm)];
  if (headings.length <= maxUnlistedSections) return main;
  const items = headings.map(({ groups: { level = '', id = '', title = '' } = {} }) => {
    // A link cannot be in a link.
    const text = title.replace(/<\/?a\b[^>]*>/g, '');
    return `<li${level === '3' ? ' class="inner"' : ''}><a href="#${id}">${text}</a></li>\n`;
  });
  const contents = `<nav class="contents" aria-labelledby="on-this-page">\n<p id="on-this-page">On this page</p>\n<ul>\n${items.join('')}</ul>\n</nav>\n`;
  return main.replace(/^<h1 .*\n/m, (title) => title + contents);
}

function renderGroup({ title, pages }: DocGroup, current: string): string {
  const items = pages.map((page) => {
    const mark = page.path === current ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(page.path)}"${mark}>${escapeHtml(page.title)}</a></li>\n`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('')}</ul>\n`;
}

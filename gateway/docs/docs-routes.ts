import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { managementErrors } from '@tollfree/contract/errors';
import { policyFilePath } from '@tollfree/contract/policy-file';
import type { Express, Response } from 'express';
import { answerOtherMethods, sendError, sendJsonText } from '../http/send-json.ts';
import type { DocPage } from './doc-page.ts';
import { type Documentation, readDocumentation, resolveLink } from './doc-pages.ts';
import { docsStyle, renderLayout } from './docs-layout.ts';
import { escapeHtml, renderMarkdown } from './markdown.ts';
import { type DocSection, excerptOf, maxQueryLength, readSections, searchSections } from './search-docs.ts';

const { resolve } = createRequire(import.meta.url);
const openApiText = once(() => readFileSync(resolve('@tollfree/contract/openapi.json'), 'utf8'));
const policyFileText = once(() => readFileSync(resolve('@tollfree/contract/schemas/policy.json'), 'utf8'));

/** The pages have no script, and only load their style sheet, their images and the search. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

function sendHtml(response: Response, html: string): void {
  response.setHeader('content-security-policy', contentSecurityPolicy);
  response.setHeader('x-frame-options', 'DENY');
  response.type('html').send(html);
}

/** The results of a search, as page content. */
function renderHits(sections: readonly DocSection[], query: string): string {
  const hits = searchSections(sections, query).map((hit) => {
    const link = `<a href="${escapeHtml(hit.path)}">${escapeHtml(hit.title)}</a>`;
    return `<li><p>${link}</p><p>${escapeHtml(excerptOf(hit, query))}</p></li>\n`;
  });
  const count = hits.length === 1 ? '1 result' : `${hits.length} results`;
  return `<h1>Search</h1>\n<p>${count} for “${escapeHtml(query)}”</p>\n<ol>\n${hits.join('')}</ol>\n`;
}

/**
 * Serves the documentation at `/docs`: written pages, the API reference, and a search, each page also as Markdown;
 * `llms.txt` and `llms-full.txt` for language models, `/openapi.json` for programs, and the schema of policy files for
 * editors.
 */
export function addDocsRoutes(app: Express): void {
  const index = JSON.stringify({ name: 'Tollfree', docs: '/docs', openapi: '/openapi.json' });
  app.get('/', (_request, response) => sendJsonText(response, 200, index));
  app.get('/openapi.json', (_request, response) => sendJsonText(response, 200, openApiText()));
  app.get(policyFilePath, (_request, response) => sendJsonText(response, 200, policyFileText()));
  addPages(app, once(readDocumentation));
  for (const path of ['/', '/openapi.json', '/docs', '/docs/*path', '/llms.txt', '/llms-full.txt', policyFilePath]) {
    answerOtherMethods(app, path, ['GET']);
  }
}

/** Caches a function's result at first use, so that startup does not wait for it. */
function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function addPages(app: Express, documentation: () => Documentation): void {
  const sections = once(() => readSections(documentation().pages.values()));
  const rendered = new Map<string, string>();
  const render = (page: DocPage): string => {
    const html = rendered.get(page.path) ?? renderPage(page, documentation());
    rendered.set(page.path, html);
    return html;
  };
  app.get('/llms.txt', (_request, response) => response.type('text').send(writeLlmsIndex(documentation())));
  app.get('/llms-full.txt', (_request, response) => response.type('text').send(writeLlmsFull(documentation())));
  app.get('/docs/style.css', (_request, response) => response.type('css').send(docsStyle));
  app.get('/docs/search', async ({ query: { q } }, response) => {
    const query = typeof q === 'string' ? q.slice(0, maxQueryLength) : '';
    const { groups } = documentation();
    const main = renderHits(await sections(), query);
    sendHtml(response, renderLayout({ path: '/docs/search', title: 'Search', main, groups, query, asMarkdown: false }));
  });
  app.get(['/docs', '/docs.md', '/docs/*path'], (request, response) => {
    const { pages, pictures } = documentation();
    const picture = pictures.get(request.path);
    const markdown = request.path.endsWith('.md');
    const page = pages.get(request.path.replace(/\.md$/, '').replace(/\/(README)?$/, ''));
    if (picture !== undefined) response.type('svg').send(picture);
    else if (page === undefined) sendError(response, managementErrors.pathNotFound);
    else if (markdown) response.type('text/markdown; charset=utf-8').send(page.text());
    else sendHtml(response, render(page));
  });
}

function renderPage({ path, title, text }: DocPage, { groups }: Documentation): string {
  const main = renderMarkdown(text(), (target) => resolveLink(path, target));
  return renderLayout({ path, title, main, groups, asMarkdown: true });
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

/** All pages of the index in one text (llms-full.txt), each after its address. */
function writeLlmsFull({ groups, pages }: Documentation): string {
  const texts = groups.flatMap((group) =>
    group.pages.flatMap(({ path }) => {
      const page = pages.get(path);
      return page === undefined ? [] : [`<!-- ${path}.md -->\n\n${page.text().trim()}\n`];
    }),
  );
  return `# Tollfree\n\n> ${summary}\n\n${texts.join('\n')}`;
}

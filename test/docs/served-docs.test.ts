import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rpcRefusals } from '@tollfree/contract/rpc/refusals';
import { expect, test } from 'vitest';
import { catalogue } from '../../core/evm/account-codes/catalogue.ts';
import { renamedPages } from '../../gateway/docs/moved-pages.ts';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';
import { send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const written = findMarkdownFiles(join(root, 'docs'));
/** A walk through every page from one address. */
const walk = { limits: { requestBurst: 5_000 } };
/** All pages together are to fit into the context of a model, with room for a conversation. */
const maxTokensForModels = 70_000;

/** Where a file of `docs/` is served. */
function servedAt(file: string): string {
  return `/${file.replace(/(\/README)?\.md$/, '')}`;
}

function addressesIn(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src|action)="(?<address>[^"]*)"/g)].map(({ groups }) => groups?.address ?? '');
}

test('serves every page of docs/ as HTML, and unchanged as Markdown at its address with .md', async () => {
  const { url } = await startTestGateway(walk);
  expect(written.length).toBeGreaterThan(15);
  for (const file of written) {
    const text = readFileSync(join(root, file), 'utf8');
    const page = await send(`${url}${servedAt(file)}`, 'GET');
    expect([file, page.status, page.headers['content-type']]).toEqual([file, 200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1 ');
    const markdown = await send(`${url}${servedAt(file)}.md`, 'GET');
    expect([file, markdown.headers['content-type']]).toEqual([file, 'text/markdown; charset=utf-8']);
    expect(markdown.text).toBe(text);
  }
});

test('the index, the navigation and llms.txt name every page', async () => {
  const { url } = await startTestGateway(walk);
  const pages = written.map(servedAt).filter((path) => path !== '/docs');
  const index = await send(`${url}/docs`, 'GET');
  const llms = await send(`${url}/llms.txt`, 'GET');
  expect(pages.filter((path) => !index.text.includes(`href="${path}"`))).toEqual([]);
  expect(pages.filter((path) => !llms.text.includes(`](${path}.md): `))).toEqual([]);
  expect(llms.text).toMatch(/^# Tollfree\n\n> /);
});

test('llms-full.txt holds the text of every page for users and operators or says where it is, within what a model can read', async () => {
  const { url } = await startTestGateway(walk);
  const { text } = await send(`${url}/llms-full.txt`, 'GET');
  // What stands between the lists that commands write, and the comments for the search.
  const partsOf = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .split(/<!-- (?:search: |written by ).*\n|<!-- (?!policy fields)[^:\n]+: written by [\s\S]*?<!-- end of .* -->/)
      .map((part) => part.trim());
  const missing = written.filter((file) => partsOf(file).some((part) => !text.includes(part)));
  expect(text).toContain('Left out: errors, in /docs/reference/management.md\n');
  const ofContributors = written.filter((file) => /^docs\/(contribute|skills)\//.test(file));
  // llms.txt is that index
  const linked = missing.filter((file) => text.includes(`](/${file}): `));
  expect(linked.length).toBeGreaterThan(0);
  expect(missing.sort()).toEqual(['docs/README.md', ...ofContributors, ...linked].sort());
  // A token has about four bytes.
  expect(Buffer.byteLength(text) / 4).toBeLessThan(maxTokensForModels);
});

test('every page has the letters of the dashboard, from its own files, and those of the system without one', async () => {
  const font = Buffer.from('a font');
  const file = (name: string) => [`assets/${name}-Bq0x_1-Z.woff2`, { type: 'font/woff2', bytes: font }] as const;
  const dashboard = new Map([
    ['index.html', { type: 'text/html; charset=utf-8', bytes: Buffer.from('<!doctype html>') }],
    file('geist-latin-wght-normal'),
    file('geist-mono-latin-wght-normal'),
  ]);
  const { url } = await startTestGateway({ dashboard });
  const style = (await send(`${url}/docs/style.css`, 'GET')).text;
  const page = await send(`${url}/docs/start`, 'GET');
  const named = [...style.matchAll(/url\("(?<path>[^"]*)"\)/g)].map(({ groups }) => groups?.path ?? '');
  expect(named).toHaveLength(2);
  expect(String(page.headers['content-security-policy']).split(';')).toContain("font-src 'self'");
  for (const path of named) {
    expect(page.text).toContain(`<link rel="preload" href="${path}" as="font"`);
    const { status, headers, text } = await send(`${url}${path}`, 'GET');
    expect([status, headers['content-type'], text]).toEqual([200, 'font/woff2', String(font)]);
    expect(headers['cache-control']).toContain('immutable');
  }
  // No text moves when they come late.
  expect(style.match(/font-display: optional/g)).toHaveLength(2);
  const alone = await startTestGateway();
  expect((await send(`${alone.url}/docs/style.css`, 'GET')).text).not.toContain('@font-face');
  expect((await send(`${alone.url}/docs/start`, 'GET')).text).not.toContain('preload');
});

test('every link of llms.txt leads to a page', async () => {
  const { url } = await startTestGateway(walk);
  const { text } = await send(`${url}/llms.txt`, 'GET');
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].flatMap(([, link]) => link ?? []);
  expect(links.length).toBeGreaterThan(written.length);
  const dead: string[] = [];
  for (const link of links) if ((await send(`${url}${link}`, 'GET')).status !== 200) dead.push(link);
  expect(dead).toEqual([]);
});

test('what the skill of assistants tells them to read is served, and every reason in it is one of a refusal', async () => {
  const { url } = await startTestGateway(walk);
  const skill = readFileSync(join(root, 'docs/skills/tollfree/SKILL.md'), 'utf8');
  const paths = new Set([...skill.matchAll(/`(\/[\w/.-]+)`/g)].flatMap(([, path]) => path ?? []));
  expect(paths.size).toBeGreaterThan(5);
  const missing: string[] = [];
  for (const path of paths) {
    const { status, text } = await send(`${url}${path}`, 'GET');
    if (status !== 200 || text === '') missing.push(path);
  }
  expect(missing).toEqual([]);
  const rows = skill.split('\n').filter((line) => /^\| `[A-Z]+_/.test(line));
  const reasons = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z_]+/g) ?? []);
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter((reason) => !(reason in rpcRefusals))).toEqual([]);
});

test('every link of every page leads to a page, with its heading', async () => {
  const { url } = await startTestGateway(walk);
  const texts = new Map<string, string>();
  const fetchPage = async (path: string): Promise<string> => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const { status, text } = await send(`${url}${path}`, 'GET');
    texts.set(path, status === 200 ? text : '');
    return status === 200 ? text : '';
  };
  const waiting = ['/docs'];
  const broken = new Set<string>();
  for (const page of waiting) {
    for (const address of addressesIn(await fetchPage(page))) {
      if (/^(https?|data):/.test(address)) continue;
      const [path = '', anchor] = address.split('#', 2);
      const target = path === '' ? page : path;
      const text = await fetchPage(target);
      const isThere = anchor === undefined || text.includes(`id="${anchor}"`);
      if (text === '' || !isThere) broken.add(`${page}: ${address}`);
      if (target.startsWith('/docs') && !/\.(md|css|svg)$/.test(target) && !waiting.includes(target))
        waiting.push(target);
    }
  }
  expect([...broken]).toEqual([]);
  expect(waiting.length).toBeGreaterThan(written.length);
});

test('every page of the menu ends with up to three pages to read next, and no page names itself', async () => {
  const { url } = await startTestGateway(walk);
  const index = await send(`${url}/docs`, 'GET');
  const menu = index.text.slice(index.text.indexOf('<nav id="pages"'));
  const pages = addressesIn(menu).filter((path) => path.startsWith('/docs/') && path !== '/docs/api');
  expect(pages.length).toBeGreaterThan(30);
  for (const path of pages) {
    const { text } = await send(`${url}${path}`, 'GET');
    const [, ...endings] = text.slice(0, text.indexOf('</main>')).split('<h2 id="what-next">What next</h2>');
    expect([path, endings.length]).toEqual([path, 1]);
    const next = addressesIn(endings[0]?.split('</ul>')[0] ?? '').map((link) => link.replace(/#.*/, ''));
    expect([path, next.length > 0 && next.length <= 3, next.includes(path)]).toEqual([path, true, false]);
  }
});

test.each([
  ['/docs/guides/limits', '/docs/limits'],
  ['/docs/guides/limits.md', '/docs/limits.md'],
  ['/docs/testing', '/docs/contribute/testing'],
  ['/docs/reference/clients', '/docs/reference/compatibility'],
  ['/docs/guides/one-url', '/docs/clients#one-url'],
  ['/docs/guides/one-url.md', '/docs/clients.md'],
  ['/docs/threat-model', '/docs/security'],
])('the address %s of an earlier page leads to %s', async (old, now) => {
  const { url } = await startTestGateway();
  const { status, headers } = await send(`${url}${old}`, 'GET');
  expect([status, headers.location]).toEqual([301, now]);
});

test('every renamed page leads to a page and a heading that are there', async () => {
  const { url } = await startTestGateway(walk);
  for (const [old, now] of Object.entries(renamedPages)) {
    const [path = '', anchor] = now.split('#', 2);
    const { status, text } = await send(`${url}${path}`, 'GET');
    const isThere = anchor === undefined || text.includes(`id="${anchor}"`);
    expect([old, status, isThere]).toEqual([old, 200, true]);
  }
});

test('the list of known account code is a JSON document that its page leads to', async () => {
  const { url } = await startTestGateway(walk);
  const page = await send(`${url}/docs/reference/known-accounts`, 'GET');
  expect(page.text).toContain('href="/docs/reference/known-accounts.json"');
  const list = await send(`${url}/docs/reference/known-accounts.json`, 'GET');
  expect(list.headers['content-type']).toBe('application/json; charset=utf-8');
  const kinds: { kind: string }[] = JSON.parse(list.text);
  expect(kinds.map(({ kind }) => kind)).toEqual(catalogue.map(({ kind }) => kind));
});

test('the SDK has its page, and each of its programs to copy, which lead to each other', async () => {
  const { url } = await startTestGateway(walk);
  const page = await send(`${url}/docs/sdk`, 'GET');
  expect(page.text).toContain('href="/docs/sdk/examples/sponsored"');
  expect(page.text).toContain('href="/docs/tickets"');
  expect((await send(`${url}/docs/start`, 'GET')).text).toContain('href="/docs/sdk"');
  const program = await send(`${url}/docs/sdk/examples/sponsored.md`, 'GET');
  expect(program.text).toContain(readFileSync(join(root, 'clients/sdk/examples/sponsored.ts'), 'utf8').trim());
});

test('the API reference has a page for every operation of the OpenAPI document', async () => {
  const { url } = await startTestGateway(walk);
  const { text } = await send(`${url}/docs/api`, 'GET');
  const { paths } = JSON.parse(readFileSync(join(root, 'contract/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const managed = Object.entries(paths).filter(([path]) => path.includes('/public/sdk/'));
  const names = managed.flatMap(([, methods]) => Object.values(methods).map(({ operationId = '' }) => operationId));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !text.includes(`/docs/api/${name.replaceAll('.', '-')}"`))).toEqual([]);
  const page = await send(`${url}/docs/api/policy-set`, 'GET');
  expect(page.text).toContain('<code>maxCostPerOperation.wei</code>');
  expect(page.text).toContain('PUT /api/v2/public/sdk/policy');
});

test('a page with more than three sections lists them below its title, and ends with the version of the service', async () => {
  const { url } = await startTestGateway({ ...walk, version: '1.2.3-test' });
  const { text } = await send(`${url}/docs/reference/policies`, 'GET');
  const contents = /<\/h1>\n<nav class="contents"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
  const sections = [...text.matchAll(/<h[23] id="(?<id>[^"]+)"/g)].map(({ groups }) => `#${groups?.id}`);
  expect(sections.length).toBeGreaterThan(3);
  expect(addressesIn(contents)).toEqual(sections);
  expect(text.slice(text.indexOf('</main>'))).toContain('<footer>Tollfree 1.2.3-test</footer>');
  const short = await send(`${url}/docs/reference/grpc`, 'GET');
  expect(short.text).not.toContain('On this page');
  for (const path of ['/docs/search?q=gas', '/docs/nowhere']) {
    const other = await send(`${url}${path}`, 'GET', { headers: { accept: 'text/html' } });
    expect([path, other.text.includes('<footer>Tollfree 1.2.3-test</footer>')]).toEqual([path, true]);
  }
});

test('pages have one script, which is a file of the service, no style of their own, and may not be framed', async () => {
  const { url } = await startTestGateway(walk);
  for (const path of ['/docs', '/docs/api', '/docs/search?q=policy', '/docs/reference/policies']) {
    const { text, headers } = await send(`${url}${path}`, 'GET');
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/copy.js" defer>']);
    expect(text).not.toMatch(/<style|style=|javascript:/);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  }
});

test('a search finds sections that hold all words, and shows what was asked for as text', async () => {
  const { url } = await startTestGateway(walk);
  const found = await send(`${url}/docs/search?q=${encodeURIComponent('requireTicket SUBJECT')}`, 'GET');
  expect(found.text).toContain('href="/docs/reference/policies');
  const none = await send(`${url}/docs/search?q=${encodeURIComponent('zebra <b>"unicorn"')}`, 'GET');
  expect(none.text).toContain('0 results for “zebra &lt;b&gt;&quot;unicorn&quot;”');
  expect(none.text).not.toContain('<b>');
  for (const query of ['', 'q=', 'q[]=a', `q=${'a'.repeat(5_000)}`]) {
    const answer = await send(`${url}/docs/search?${query}`, 'GET');
    expect([query.length, answer.status]).toEqual([query.length, 200]);
  }
});

test('a page that is not there is 404, and the folder of the pages cannot be left', async () => {
  const { url } = await startTestGateway(walk);
  for (const path of ['/docs/nowhere', '/docs/nowhere.md', '/docs/../package.json', '/docs/%2e%2e/package.json']) {
    const { status, text } = await send(`${url}${path}`, 'GET');
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toContain('dependencies');
  }
});

test('a browser that asks for a page that is not there gets one with the menu, the search and pages that may be meant', async () => {
  const { url } = await startTestGateway(walk);
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const missing = await send(`${url}/docs/gas-tanks`, 'GET', { headers });
  expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(missing.text).toContain('<h1>Page not found</h1>');
  expect(missing.text).toContain('role="search"');
  expect(missing.text).toContain('aria-label="Pages"');
  expect(missing.text).toContain('<p><a href="/docs/gas-tank');
  const attack = await send(`${url}/docs/%3Cscript%3Ealert(1)%3C/script%3E`, 'GET', { headers });
  expect([attack.status, attack.text.includes('<script>')]).toEqual([404, false]);
  const elsewhere = await send(`${url}/favicon.ico`, 'GET', { headers });
  expect([elsewhere.status, elsewhere.text.includes('<h1>Page not found</h1>')]).toEqual([404, true]);
  // Programs, and paths that exist, answer as before.
  for (const path of ['/docs/gas-tanks', '/favicon.ico']) {
    const { status, body } = await send(`${url}${path}`, 'GET');
    expect([status, body]).toEqual([404, { statusCode: 404, message: 'Not found' }]);
  }
  const posted = await send(`${url}/favicon.ico`, 'POST', { headers, text: '{}' });
  expect([posted.status, posted.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  expect((await send(`${url}/api/v2/public/sdk/paymaster`, 'GET', { headers })).status).toBe(401);
});

test('documents are compressed for clients that accept it, and are not sent again to those that have them', async () => {
  const { url } = await startTestGateway(walk);
  const paths = ['/openapi.json', '/llms-full.txt', '/llms.txt', '/docs', '/docs/api/policy-set', '/docs/start.md'];
  for (const path of paths) {
    const texts: string[] = [];
    for (const encoding of ['identity', 'gzip']) {
      const first = await fetch(`${url}${path}`, { headers: { 'accept-encoding': encoding } });
      texts.push(await first.text());
      expect([path, first.status, first.headers.get('content-encoding') ?? 'identity']).toEqual([path, 200, encoding]);
      if (encoding === 'gzip') {
        const sent = Number(first.headers.get('content-length'));
        expect([path, sent < 0.6 * Buffer.byteLength(texts[0] ?? '')]).toEqual([path, true]);
      }
      // fetch would say that it wants no answer from a cache.
      const headers = { 'accept-encoding': encoding, 'if-none-match': first.headers.get('etag') ?? '' };
      const again = await send(`${url}${path}`, 'GET', { headers });
      expect([path, again.status, again.text.length]).toEqual([path, 304, 0]);
    }
    const stale = await send(`${url}${path}`, 'GET', { headers: { 'if-none-match': '"another"' } });
    expect([path, stale.status]).toEqual([path, 200]);
    expect([path, texts[0] === texts[1]]).toEqual([path, true]);
  }
});

test('documents count in the rate of the address that reads them', async () => {
  const { url } = await startTestGateway({ clock: { now: () => 1_700_000_000_000 }, limits: { requestBurst: 6 } });
  const paths = ['/openapi.json', '/llms-full.txt', '/llms.txt', '/docs', '/docs/search?q=gas', '/docs/nowhere'];
  for (const path of paths) expect([path, (await send(`${url}${path}`, 'GET')).status]).not.toEqual([path, 429]);
  for (const path of paths) {
    const { status, headers, body } = await send(`${url}${path}`, 'GET');
    expect([path, status, body]).toEqual([path, 429, { statusCode: 429, message: 'Too many requests' }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect((await send(`${url}/docs`, 'GET', { localAddress: '127.0.0.2' })).status).toBe(200);
});

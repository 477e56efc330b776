import { expect, test } from 'vitest';
import { readDocumentation } from '../../gateway/docs/doc-pages.ts';
import { searchedPages } from '../../gateway/docs/docs-routes.ts';
import { findNamedPages, indexDocs, searchDocs } from '../../gateway/docs/search-docs.ts';

const index = await indexDocs(searchedPages(readDocumentation()));
const firstOf = (query: string): string | undefined => searchDocs(index, query)[0]?.path.replace(/^\/docs\//, '');
const pageOf = (query: string): string | undefined => firstOf(query)?.replace(/#.*$/, '');

test.each([
  ['viem', 'clients'],
  ['wagmi', 'clients'],
  ['getting started', 'start'],
  ['daily USD limit per user', 'limits'],
  ['stop bots spending my gas', 'limits'],
  ['budget for all chains', 'limits'],
  ['login', 'tickets'],
  ['openid jwks', 'tickets'],
  ['my server decides', 'webhooks'],
  ['pay gas in USDC', 'tokens'],
  ['Base production', 'go-live'],
  ['mainnet', 'go-live'],
  ['docker compose', 'deploy'],
  ['backup', 'operations'],
  ['leaked api key', 'operations'],
  ['service is down', 'operations'],
  ['rotate signing key', 'keys'],
  ['reorg', 'ledger'],
  ['postgres high availability', 'cluster'],
  ['fill the gas tank', 'gas-tank'],
  ['withdraw deposit', 'gas-tank'],
  ['kernel account support', 'reference/compatibility'],
  ['switch from pimlico', 'migrate'],
  ['threat model', 'security'],
  ['mcp server', 'agents'],
  ['trusted proxy setting', 'reference/configuration'],
])('"%s" leads to the page %s', (query, page) => {
  expect(pageOf(query)).toBe(page);
});

/** What newcomers type: words of their own, no term of the documentation. */
test.each([
  ['sponsor gas for my users', 'start'],
  ['install with docker', 'deploy'],
  ['pay gas with usdc', 'tokens'],
  ['how to set a spending limit', 'limits'],
  ['user gets refused', 'refusals'],
  ['why was my operation refused', 'refusals'],
  ['AA33 reverted', 'refusals'],
  ['add a new chain', 'reference/configuration'],
  ['which wallets work', 'reference/compatibility'],
  ['api authentication', 'reference/management'],
  ['react hook', 'clients'],
  ['migrate from biconomy', 'migrate'],
  ['backup database', 'operations'],
  ['rotate keys', 'keys'],
  ['email when balance is low', 'notifications'],
  ['invite teammates', 'dashboard'],
  ['captcha before sponsoring', 'webhooks'],
  ['local development', 'start'],
  ['upgrade to a new version', 'operations'],
  ['prometheus grafana', 'reference/metrics'],
  ['multiple servers', 'cluster'],
])('“%s” has the page %s among the first three', (query, page) => {
  const first = searchDocs(index, query).slice(0, 3);
  expect(first.map(({ path }) => path.replace(/^\/docs\/|#.*$/g, ''))).toContain(page);
});

test.each([
  ['-32016', 'refusals#estimation_failed'],
  ['AA34', 'refusals#aa34'],
  ['METHOD_NOT_WHITELISTED', 'refusals#method_not_whitelisted'],
  ['maxFeePerGasCeiling', 'reference/configuration'],
  ['trustedProxies', 'reference/configuration'],
])('"%s" leads to its own entry', (query, entry) => {
  expect(firstOf(query)).toContain(entry);
});

test.each([
  ['limt', 'limits'],
  ['permisionless', 'clients'],
  ['pimlicco', 'migrate'],
  ['kuberentes', 'deploy'],
  ['webhoook', 'webhooks'],
])('the mistyped "%s" leads to the page %s', (query, page) => {
  expect(pageOf(query)).toBe(page);
});

test('finds a setting by the words of its name, and a page by a plural', () => {
  expect(
    searchDocs(index, 'trusted proxies')
      .map(({ path }) => path)
      .join(),
  ).toContain('/docs/reference/configuration');
  expect(pageOf('webhook')).toBe('webhooks');
  expect(pageOf('webhooks')).toBe('webhooks');
});

test('shows the best section of a page, each page once, with the text that has a word of the query', () => {
  const hits = searchDocs(index, 'requireTicket');
  const pages = hits.map(({ path }) => path.replace(/#.*$/, ''));
  expect(new Set(pages).size).toBe(pages.length);
  expect(hits[0]?.excerpt).toContain('requireTicket');
});

const offeredFor = (address: string): readonly string[] => findNamedPages(index, address).map(({ path }) => path);

test.each([
  ['guides/limits', '/docs/limits'],
  ['getting-started', '/docs/start'],
  ['quickstart.html', '/docs/start'],
  ['going-live', '/docs/go-live'],
  ['policy', '/docs/reference/policies'],
  ['tickits', '/docs/tickets'],
])('for the address “%s” without a page, %s is offered first', (address, page) => {
  expect(offeredFor(address)[0]).toBe(page);
});

test.each(['guides', 'index', 'home', 'about', 'help', 'blog', 'nowhere', 'faq', 'favicon.ico'])(
  'for “%s”, which names no page, none is offered',
  (address) => {
    expect(offeredFor(address)).toEqual([]);
  },
);

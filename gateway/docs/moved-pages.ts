import type { Documentation } from './doc-pages.ts';

/** Where the content of a page went that was renamed or merged into another one. */
export const renamedPages: Readonly<Record<string, string>> = {
  '/docs/guides/development-chain': '/docs/reference/compatibility#development-chain',
  '/docs/guides/failover': '/docs/hot-wallet',
  '/docs/guides/griefing': '/docs/security#griefing',
  '/docs/guides/mcp': '/docs/agents',
  '/docs/guides/one-url': '/docs/clients#one-url',
  '/docs/guides/scale': '/docs/cluster',
  '/docs/guides/token-mode': '/docs/tokens',
  '/docs/guides/treasury': '/docs/hot-wallet',
  '/docs/guides/your-app': '/docs/clients#a-paymaster-of-your-own',
  '/docs/mutation-testing': '/docs/contribute/testing',
  '/docs/reference/clients': '/docs/reference/compatibility',
  '/docs/reference/contracts-and-accounts': '/docs/reference/compatibility#contracts-and-accounts',
  '/docs/reference/gas-estimation': '/docs/reference/gas-estimates',
  '/docs/reference/gas-prices': '/docs/reference/gas-estimates',
  '/docs/runbooks': '/docs/operations',
  '/docs/threat-model': '/docs/security',
};

/**
 * The address of a page that was at another one: renamed, or moved to another folder under its name, as from `/docs/guides/limits`
 * to `/docs/limits`. Undefined if no page was there.
 */
export function findMovedPage(path: string, { groups }: Pick<Documentation, 'groups'>): string | undefined {
  const name = path.slice(path.lastIndexOf('/'));
  const sameName = groups.flatMap(({ pages }) => pages).find((page) => page.path.endsWith(name));
  return renamedPages[path] ?? sameName?.path;
}

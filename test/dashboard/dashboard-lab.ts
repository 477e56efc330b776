import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { inject } from 'vitest';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { readDashboard } from '../../server/serve-gateway.ts';
import { injectWallet } from '../support/browser/inject-wallet.ts';
import { type OpenBrowser, openBrowser } from '../support/browser/open-browser.ts';
import { type RunningService, type ServiceOptions, startService } from '../support/service/running-service.ts';

/** A whole service with its dashboard, and a browser next to it whose pages have a wallet. */
export type DashboardLab = {
  readonly service: RunningService;
  /** The accounts that operate the service: none until a test adds one. */
  readonly operators: string[];
  readonly browser: OpenBrowser;
  readonly wallet: PrivateKeyAccount;
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page has complained of: exceptions, and lines of the console such as refused styles. */
  readonly complaints: readonly string[];
  /** Opens a page of the dashboard, `''` for its home. */
  open(path: string): Promise<void>;
  close(): Promise<void>;
};

export async function openDashboardLab({
  explorerPageUrl,
  configure = (config) => config,
}: Pick<ServiceOptions, 'configure'> & { readonly explorerPageUrl?: string } = {}): Promise<DashboardLab> {
  const dashboard = readDashboard(inject('dashboard'));
  if (dashboard === undefined) throw new Error('The dashboard has not been built.');
  // An explorer to which every contract is the development chain's target.
  const explorer = createServer((_, response) => response.end(JSON.stringify({ match: 'match', abi: devTargetAbi })));
  await once(explorer.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(explorer.address() as AddressInfo).port}`;
  const operators: string[] = [];
  const service = await startService({
    dashboard,
    configure: async (plain, devnet) => {
      const config = await configure(plain, devnet);
      return {
        ...config,
        operators,
        chains: config.chains.map((chain) => ({
          ...chain,
          explorer: { kind: 'sourcify', url },
          ...(explorerPageUrl === undefined ? {} : { explorerPageUrl }),
        })),
      };
    },
  });
  const browser = await openBrowser();
  const wallet = privateKeyToAccount(deriveDevKey(5));
  // Without motion, drawing takes half the processor time: no test here is about an animation.
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  await injectWallet(context, { account: wallet, chainId: 1, nodeUrl: service.devnet.rpcUrl });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser's own line about an answer that is an error; the page says it in words.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
  });
  return {
    service,
    operators,
    browser,
    wallet,
    context,
    page,
    complaints,
    open: async (path) => {
      await page.goto(`${service.url}/dashboard/${path}`);
    },
    close: async () => {
      await browser.close();
      await service.close();
      explorer.close();
    },
  };
}

/** Signs in with an authToken on the page that asks for it. */
export async function signInWithToken(page: Page, authToken: string): Promise<void> {
  await page.getByLabel('authToken', { exact: true }).fill(authToken);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** Debian's package `chromium`. */
export const chromiumPath = '/usr/bin/chromium';

export const hasChromium = existsSync(chromiumPath);

/** Nothing of the browser's own talks to anybody. */
const quiet = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--no-default-browser-check', '--disable-dev-shm-usage'],
];

export type OpenBrowser = {
  /** Pages that share cookies and storage, and nothing with those of other contexts. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
};

/** Starts a headless Chromium with a new profile. */
export async function openBrowser(): Promise<OpenBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'tollfree-chromium-'));
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath,
    args: quiet,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
  });
  return {
    newContext: (options) => browser.newContext(options),
    close: async () => {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

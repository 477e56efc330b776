import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { openBrowser } from '../support/browser/open-browser.ts';

/**
 * `npm run bench:dashboard -- <dev file>`: pages of a running `npm run dev` in Chromium, on Lighthouse's slow 4G and a processor
 * four times as slow: with an empty cache, and again with what the browser kept. The last argument is the number of rounds.
 */
const [file = '.tollfree/dev.json', rounds = '5'] = process.argv.slice(2);
const dev = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
const slow4g = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 };
const processorSlowdown = 4;
/** How long a page must ask for nothing. It is shorter than the pause before a page reads its data again. */
const idleMs = 1_000;

type PageToOpen = { readonly name: string; readonly path: string; readonly content: string };
type Visit = {
  readonly requests: number;
  readonly bytes: number;
  readonly firstPaint: number;
  readonly content: number;
};

const browser = await openBrowser();
const { context, base } = await signIn();
const pages: readonly PageToOpen[] = [
  { name: 'sign-in', path: '', content: 'input' },
  { name: 'overview', path: '', content: '.tiles dd' },
  { name: 'usage', path: `${base}/usage`, content: 'tbody tr' },
  { name: 'policies', path: `${base}/policies`, content: '.empty, tbody tr' },
  { name: 'activity', path: `${base}/activity`, content: 'tbody tr' },
  { name: 'gas tank', path: `${base}/gas-tank`, content: '.tiles dd' },
];
process.stdout.write(
  '| page | visit | requests | kB | first paint | content |\n| --- | --- | --- | --- | --- | --- |\n',
);
for (const each of pages) await measure(each);
await browser.close();

/** A context that is signed in, and the path of its first paymaster. */
async function signIn(): Promise<{ readonly context: BrowserContext; readonly base: string }> {
  const signedIn = await browser.newContext();
  const answer = await signedIn.request.post(`${dev.gatewayUrl}/api/v2/public/sdk/session`, {
    headers: { origin: dev.gatewayUrl },
    data: { authToken: dev.authToken },
  });
  if (!answer.ok()) throw new Error(`Signing in failed: ${await answer.text()}`);
  const list = await signedIn.request.get(`${dev.gatewayUrl}/api/v2/public/sdk/paymaster`);
  const { data } = (await list.json()) as { data: { paymasterId: string }[] };
  return { context: signedIn, base: `paymasters/${data[0]?.paymasterId}` };
}

/** Prints the medians of a page's first and second visits. */
async function measure(each: PageToOpen): Promise<void> {
  const visits: { first: Visit[]; second: Visit[] } = { first: [], second: [] };
  for (let round = 0; round < Number(rounds); round += 1) {
    const visitor = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    if (each.name !== 'sign-in') await visitor.addCookies(await context.cookies());
    const page = await visitor.newPage();
    visits.first.push(await visit(page, each));
    await page.goto('about:blank');
    visits.second.push(await visit(page, each));
    await visitor.close();
  }
  for (const [name, some] of Object.entries(visits)) {
    const median = (of: (one: Visit) => number) =>
      some.map(of).sort((one, other) => one - other)[some.length >> 1] ?? 0;
    const seconds = (of: (one: Visit) => number) => `${(median(of) / 1_000).toFixed(1)} s`;
    const cells = [median(({ requests }) => requests), Math.round(median(({ bytes }) => bytes) / 1_000)];
    const times = [seconds(({ firstPaint }) => firstPaint), seconds(({ content }) => content)];
    process.stdout.write(`| ${[each.name, name, ...cells, ...times].join(' | ')} |\n`);
  }
}

/** Opens a page slowly, until it has its content and asks for nothing more. */
async function visit(page: Page, { path, content }: PageToOpen): Promise<Visit> {
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', slow4g);
  await line.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
  let bytes = 0;
  const asked = new Set<string>();
  let lastAt = performance.now();
  const note = () => {
    lastAt = performance.now();
  };
  // What the cache answers has no bytes on the line.
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    note();
    if (encodedDataLength > 0) asked.add(requestId);
    bytes += encodedDataLength;
  });
  line.on('Network.requestWillBeSent', note);
  await page.goto(`${dev.gatewayUrl}/dashboard/${path}`, { waitUntil: 'commit' });
  const shown = await page.waitForFunction(
    (selector) => (document.querySelector(selector) === null ? 0 : performance.now()),
    content,
  );
  while (performance.now() - lastAt < idleMs) await new Promise((resolve) => setTimeout(resolve, 50));
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  );
  const contentAt = await shown.jsonValue();
  await line.detach();
  return { requests: asked.size, bytes, firstPaint, content: contentAt };
}

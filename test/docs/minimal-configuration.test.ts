import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatEther, formatGwei } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { wellKnownChains } from '../../server/chains/well-known-chains.ts';
import { loadConfig } from '../../server/config/load-config.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';

const page = readFileSync('docs/reference/configuration.md', 'utf8');
const [, minimal = ''] = /## A minimal file\n[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];

/** A file of its own folder, with this configuration. */
function written(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-minimal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'tollfree.json');
  writeFileSync(config, text);
  return config;
}

/** The only chain of a configuration, as the service gets it. */
function chainOf(text: string) {
  const config = written(text);
  const [chain] = loadConfig({ config }, {}).chains ?? [];
  if (chain === undefined) throw new Error('The file has no chain.');
  return chain;
}

test('the minimal file of the page is short, and complete for Base', () => {
  expect(minimal.trim().split('\n').length).toBeLessThanOrEqual(12);
  const base = wellKnownChains.find(({ key }) => key === 'base');
  expect(chainOf(minimal)).toMatchObject({
    chainId: base?.chainId,
    name: 'Base',
    explorerPageUrl: base?.explorerPageUrl,
    nativePrice: { sources: [{ kind: 'chainlink', aggregator: base?.feed.aggregator }, { kind: 'http' }] },
    sequencerUptime: { feed: base?.sequencerFeed },
    paymasterContracts: [{ version: '1.0.0' }],
  });
});

test('config check finds the minimal file valid, word for word, once the files it names are there', async () => {
  const config = written(minimal);
  const check = () => runInPlace(['config', 'check', '--config', config]);
  const { code, stdout } = await check();
  expect(code).toBe(1);
  const missing = [...stdout.matchAll(/does not exist: \S+\/(\S+)$/gm)].map(([, name]) => name);
  expect(missing).toEqual(['data', 'master.key', 'signer.json', 'signer.password']);
  const file = (name: string) => join(config, '..', name);
  for (const name of ['data', 'secrets']) mkdirSync(file(name), { mode: 0o700 });
  writeFileSync(file('secrets/master.key'), 'ab'.repeat(32), { mode: 0o600 });
  writeFileSync(file('secrets/signer.password'), 'a password', { mode: 0o600 });
  writeKeystore(file('secrets/signer.json'), 'a password');
  expect(await check()).toEqual({ code: 0, stdout: `${config} is valid.\n`, stderr: '' });
});

test('a price of its own does without the uptime feed of the known one, and a ceiling of its own counts', () => {
  const file = JSON.parse(minimal);
  const nativePrice = { sources: [{ kind: 'fixed', usd: '3000' }], minimumSources: 1 };
  const own = { ...file.chains[0], nativePrice, maxCostPerOperation: 'none' };
  const chain = chainOf(JSON.stringify({ ...file, chains: [own] }));
  expect(chain.sequencerUptime).toBeUndefined();
  expect(chain).toMatchObject({ nativePrice, maxCostPerOperation: 'none' });
});

test.each(wellKnownChains.map(({ key, chainId }) => [key, chainId] as const))(
  'the ceilings of %s are those of the table',
  (key, chainId) => {
    const file = JSON.parse(minimal);
    const chain = chainOf(JSON.stringify({ ...file, chains: [{ ...file.chains[0], chainId }] }));
    const { maxFeePerGasCeiling: price, maxCostPerOperation: cost } = chain;
    if (price === 'none' || cost === 'none') throw new Error(`${key} has no ceilings.`);
    const row = page.split('\n').find((line) => new RegExp(`^\\|[^|]*\`${key}\``).test(line));
    expect(row).toContain(`| ${formatGwei(price)} gwei, ${formatEther(cost)} |`);
  },
);

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatEther, formatGwei } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { wellKnownChains } from '../../server/chains/well-known-chains.ts';
import { loadConfig } from '../../server/config/load-config.ts';

const page = readFileSync('docs/reference/configuration.md', 'utf8');
const [, minimal = ''] = /## A minimal file\n[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];

/** The only chain of a configuration, as the service gets it. */
function chainOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-minimal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'tollfree.json');
  writeFileSync(config, text);
  const [chain] = loadConfig({ config }, {}).chains ?? [];
  if (chain === undefined) throw new Error('The file has no chain.');
  return chain;
}

test('the minimal file of the page is short, and complete for Base', () => {
  expect(minimal.trim().split('\n').length).toBeLessThanOrEqual(12);
  const base = wellKnownChains.find(({ key }) => key === 'base');
  expect(chainOf(minimal)).toMatchObject({
    ...{ chainId: base?.chainId, name: 'Base', dataFee: 'op-stack', explorerPageUrl: base?.explorerPageUrl },
    nativePrice: { sources: [{ kind: 'chainlink', aggregator: base?.feed.aggregator }, { kind: 'http' }] },
    sequencerUptime: { feed: base?.sequencerFeed },
    paymasterContracts: [{ version: '1.0.0' }],
  });
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

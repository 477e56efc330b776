import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { createPublicClient, http, parseAbi, parseEther, parseGwei } from 'viem';
import { entryPoint08Address } from 'viem/account-abstraction';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { gasPriceOracle } from '../../core/gas/fees/find-fee-model.ts';
import { findWellKnownChain } from '../../server/chains/well-known-chains.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';

const aggregatorAbi = parseAbi([
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function description() view returns (string)',
  'function decimals() view returns (uint8)',
]);
const oracleAbi = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
]);

let running: RunningTollfree;
let chain: { nodeUrl: string; bundlerUrl: string };
beforeAll(async () => {
  running = startTollfree(['dev', '--as', 'base', '--json', '--chain-port', '0', '--bundler-port', '0']);
  const line = await running.line('stdout', /^\{/);
  chain = z.object({ chainId: z.literal(8_453), nodeUrl: z.string(), bundlerUrl: z.string() }).parse(JSON.parse(line));
});
afterAll(async () => {
  if (running?.child.exitCode === null) await running.stop('SIGTERM');
});

test('tollfree dev --as base has what a service reads on Base: its EntryPoint, feeds that are new, and the fee oracle', async () => {
  const client = createPublicClient({ transport: http(chain.nodeUrl) });
  const base = findWellKnownChain('base');
  if (base?.sequencerFeed === undefined) throw new Error('Base has an uptime feed.');
  expect(await client.getChainId()).toBe(8_453);
  expect(await client.getCode({ address: entryPoint08Address })).toMatch(/^0x../);
  const feeds = [base.feed, ...base.tokens.map(({ feed }) => feed)];
  for (const { aggregator: address, of, maxAgeSeconds } of feeds) {
    const read = { address, abi: aggregatorAbi } as const;
    const [, answer, , updatedAt] = await client.readContract({ ...read, functionName: 'latestRoundData' });
    expect(answer).toBeGreaterThan(0n);
    expect(Date.now() / 1_000 - Number(updatedAt)).toBeLessThan(maxAgeSeconds);
    expect(await client.readContract({ ...read, functionName: 'decimals' })).toBe(8);
    expect(await client.readContract({ ...read, functionName: 'description' })).toBe(`${of} / USD`);
  }
  const uptime = { address: base.sequencerFeed, abi: aggregatorAbi, functionName: 'latestRoundData' } as const;
  expect((await client.readContract(uptime))[1]).toBe(0n);
  const oracle = { address: gasPriceOracle, abi: oracleAbi } as const;
  const fee = await client.readContract({ ...oracle, functionName: 'getL1Fee', args: [`0x${'02'.repeat(500)}`] });
  const operatorFee = await client.readContract({ ...oracle, functionName: 'getOperatorFee', args: [300_000n] });
  expect(fee + operatorFee).toBeGreaterThan(0n);
  expect(fee + operatorFee).toBeLessThan(parseEther('0.000001'));
  expect(await createPublicClient({ transport: http(chain.bundlerUrl) }).getChainId()).toBe(8_453);
});

test('its node suggests fees as low as those of Base, in a batch too, so an operation costs what it would there', async () => {
  for (const batch of [false, true]) {
    const client = createPublicClient({ transport: http(chain.nodeUrl, { batch }) });
    const [fees, gasPrice, { baseFeePerGas }] = await Promise.all([
      client.estimateFeesPerGas(),
      client.getGasPrice(),
      client.getBlock(),
    ]);
    expect(fees.maxPriorityFeePerGas).toBe(parseGwei('0.001'));
    expect(fees.maxFeePerGas).toBeLessThan(parseGwei('0.1'));
    expect(gasPrice).toBeGreaterThanOrEqual(parseGwei('0.001'));
    expect(gasPrice).toBeLessThan((baseFeePerGas ?? 0n) + parseGwei('0.01'));
  }
  const bundler = createPimlicoClient({ transport: http(chain.bundlerUrl) });
  const { fast } = await bundler.getUserOperationGasPrice();
  expect(fast.maxPriorityFeePerGas).toBe(parseGwei('0.001'));
});

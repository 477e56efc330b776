import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { sourceProgram } from '../support/command-line/run-tollfree.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';

const address = z.string().refine((text) => isAddress(text));
const loopbackUrl = z.string().regex(/^http:\/\/127\.0\.0\.1:\d+$/);
const versions = z.enum(['0.6', '0.7', '0.8', '0.9']);
const byVersion = z.strictObject({ '0.6': address, '0.7': address, '0.8': address, '0.9': address });
const count = z.int().positive();

/** `dev.json` as programs rely on it: nothing missing, nothing more. */
const devFileSchema = z.strictObject({
  gatewayUrl: loopbackUrl,
  adminUrl: loopbackUrl,
  bundlerUrl: loopbackUrl,
  grpcAddress: z.string().regex(/^127\.0\.0\.1:\d+$/),
  grpcTokenFile: z.string(),
  authToken: z.string().regex(/^tf_[A-Za-z0-9_-]+$/),
  paymasters: z.array(
    z.strictObject({
      name: z.string(),
      chainId: count,
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      apiKey: z.string().regex(/^[A-Za-z0-9_-]{9}\.[0-9a-f-]{36}$/),
      paymasterId: z.uuid(),
      rpcUrl: z.url(),
      entryPointVersion: versions,
      entryPoint: address,
      contract: z.enum(Object.values(devnetFamilies)),
      address,
      fundingWallet: address,
    }),
  ),
  chain: z.strictObject({
    chainId: count,
    rpcUrl: loopbackUrl,
    entryPoints: byVersion,
    accountFactories: byVersion,
    target: address,
    targetAbi: z.array(z.looseObject({ type: z.string() })).min(1),
    tokens: z.array(z.strictObject({ symbol: z.string(), decimals: z.int(), address })),
    fundedKeys: z.array(z.string().regex(/^0x[0-9a-f]{64}$/)),
  }),
  pids: z.array(count).length(2),
});
type DevFileText = z.output<typeof devFileSchema>;

let folder: string;
let running: RunningTollfree;
let dev: DevFileText;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-chain-dev-'));
  const ports = ['--port', '0', '--grpc-port', '0', '--chain-port', '0', '--admin-port', '0', '--bundler-port', '0'];
  running = startTollfree(['dev', ...ports, '--data', folder], isLongRun ? { program: sourceProgram } : {});
  await running.line('stdout', /Stop: Ctrl-C$/);
  dev = devFileSchema.parse(JSON.parse(readFileSync(join(folder, 'dev.json'), 'utf8')));
});
afterAll(async () => {
  if (running.child.exitCode === null) await running.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

describe('dev.json', () => {
  test('names one paymaster for each EntryPoint, with addresses that belong together', () => {
    expect(dev.paymasters.map(({ entryPointVersion }) => entryPointVersion)).toEqual(['0.8', '0.6', '0.7', '0.9']);
    for (const paymaster of dev.paymasters) {
      expect(paymaster.entryPoint).toBe(dev.chain.entryPoints[paymaster.entryPointVersion]);
      expect(paymaster.rpcUrl).toBe(`${dev.gatewayUrl}/api/v2/${dev.chain.chainId}/${paymaster.apiKey}`);
      expect(paymaster.chainId).toBe(dev.chain.chainId);
    }
    expect(dev.chain.tokens.map(({ decimals }) => decimals)).toEqual([6, 18]);
  });

  test('has addresses with code behind them on the chain it names', async () => {
    const contracts = [
      ...Object.values(dev.chain.entryPoints),
      ...Object.values(dev.chain.accountFactories),
      ...dev.paymasters.map((paymaster) => paymaster.address),
      ...dev.chain.tokens.map((token) => token.address),
      dev.chain.target,
    ];
    for (const contract of contracts) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [contract, 'latest'] });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(dev.chain.rpcUrl, { method: 'POST', headers, body });
      const { result } = z.object({ result: z.string() }).parse(await response.json());
      expect(result.length, contract).toBeGreaterThan(2);
    }
  });
});

test('it shows a relayed operation, which takes less gas than one that the paymaster contract pays for', () => {
  const line = running.stdout.find((text) => text.startsWith('Relayed without a paymaster contract')) ?? '';
  expect(line).toMatch(
    /the gas tank paid \$\d+\.\d+ for [\d,]+ gas, \d+(\.\d)? % less than the [\d,]+ with the contract$/,
  );
});

test('the curl it prints works when pasted into bash, and again when pasted twice', () => {
  const command = running.stdout.find((line) => line.includes('curl ')) ?? '';
  for (const _ of [1, 2]) {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { result } = z.object({ result: z.record(z.string(), z.unknown()) }).parse(JSON.parse(stdout));
    expect(result).toMatchObject({ mode: 'SPONSORED', MODE: 'SPONSORED' });
    expect(result.paymasterAndData).toMatch(new RegExp(`^${dev.paymasters[0]?.address}`, 'i'));
    expect(result.preVerificationGas).toMatch(/^[1-9]\d*$/);
    expect(result.verificationGasLimit).toBeGreaterThan(0);
    expect(result.callGasLimit).toBeGreaterThan(0);
  }
});

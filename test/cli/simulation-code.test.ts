import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';

let devnet: Devnet;
let folder: string;
const family = 'pimlico-singleton-0.7';
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-simulation-code-'));
  devnet = await startDevnet({ port: 0, paymasterSigner: `0x${'51'.repeat(20)}` });
  const { chainId, rpcUrl, entryPoints, fundedKeys, paymasterContracts, tokenRecipient } = devnet;
  writeFileSync(file('payer.key'), fundedKeys[3] ?? '', { mode: 0o600 });
  const chain = {
    chainId,
    name: 'a chain',
    nodeUrls: [rpcUrl],
    // That of the contract is at its usual address.
    entryPoints: { '0.6': entryPoints['0.6'] },
    paymasterContracts: [{ version: '2.0.0', family, address: paymasterContracts[family], tokenRecipient }],
    tokens: [],
    nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
    signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
    maxFeePerGasCeiling: '500 gwei',
    maxCostPerOperation: '1 ether',
  };
  writeFileSync(file('tollfree.json'), JSON.stringify({ databaseFile: 'tollfree.db', chains: [chain] }));
});
afterAll(async () => {
  await devnet.close();
  rmSync(folder, { recursive: true });
});

const StatusSchema = z.array(
  z.object({ name: z.string(), address: z.string(), bytes: z.number(), isThere: z.boolean() }),
);
const DeployedSchema = z.array(
  z.object({ name: z.string(), sent: z.boolean(), alreadyThere: z.boolean().optional(), cost: z.string().optional() }),
);

const run = (...args: readonly string[]) =>
  runInProcess('simulation-code', ...args, '--config', file('tollfree.json'), '--json');
const status = async () => StatusSchema.parse(JSON.parse((await run('status')).stdout));
const deploy = async (...args: readonly string[]) =>
  DeployedSchema.parse(JSON.parse((await run('deploy', '--key-file', file('payer.key'), ...args)).stdout));

test('the code that simulates is deployed once, by anyone who wants to', async () => {
  const names = ['probe', 'EntryPoint 0.6', 'EntryPoint 0.7'];
  expect((await status()).map(({ name, isThere }) => [name, isThere])).toEqual(names.map((name) => [name, false]));
  expect((await deploy('--dry-run')).map(({ sent }) => sent)).toEqual([false, false, false]);
  expect((await status()).every(({ isThere }) => !isThere)).toBe(true);

  expect((await deploy('--yes')).map(({ name, sent }) => [name, sent])).toEqual(names.map((name) => [name, true]));
  const there = await status();
  expect(there.every(({ isThere }) => isThere)).toBe(true);
  for (const { address, bytes } of there) {
    expect(await devnet.client.getCode({ address: address as `0x${string}` })).toHaveLength(2 + 2 * bytes);
  }
  expect((await deploy('--yes')).map(({ sent, alreadyThere }) => [sent, alreadyThere])).toEqual(
    names.map(() => [false, true]),
  );
});

test('a chain without the deployment proxy says so, and nothing is sent', async () => {
  const address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  const code = await devnet.client.getCode({ address });
  await devnet.client.setCode({ address, bytecode: '0x' });
  const { code: exit, stderr } = await run('deploy', '--key-file', file('payer.key'), '--yes');
  await devnet.client.setCode({ address, bytecode: code ?? '0x' });
  expect(exit).toBe(1);
  expect(stderr).toContain('has no deployment proxy');
});

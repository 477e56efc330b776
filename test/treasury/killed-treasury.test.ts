import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, type Hex, keccak256 } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { depositOf } from '../support/chain/chain-lab.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { forward, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { ether, version } from './treasury-lab.ts';

const password = 'a password of the test';
const patience = { timeout: 40_000, interval: 50 };
const rule = { below: '2 ether', to: '5 ether' };

let folder: string;
let devnet: Devnet;
let node: RpcServer;
let treasury: Address;
let contract: Address;
let running: RunningTollfree | undefined;
/** The transactions that the service has sent, and whether the node takes them. */
let sent: Hex[] = [];
let takes = true;

const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-treasury-'));
  writeFileSync(file('master.key'), 'cd'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  devnet = await startDevnet({ port: 0, paymasterSigner: writeKeystore(file('signer.json'), password) });
  treasury = writeKeystore(file('hot.json'), password);
  contract = devnet.paymasterContracts[devnetFamilies[version]];
  await devnet.client.setBalance({ address: treasury, value: ether('50') });
  node = await startRpcServer(async (request, response) => {
    if (request.method === 'eth_sendRawTransaction') {
      sent.push(request.params[0] as Hex);
      // Never answered: the process waits for it when it is killed.
      if (!takes) return;
    }
    respond(response, await forward(devnet.rpcUrl, request));
  });
  writeFileSync(file('config.json'), JSON.stringify(configuration()));
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await node.close();
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
});

function configuration() {
  const family = devnetFamilies[version];
  return {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    gateway: { listen: '127.0.0.1:0', adminListen: '127.0.0.1:0' },
    grpc: { listen: 'unix:core.sock' },
    signers: { hot: { keystoreFile: 'hot.json', passwordFile: 'password' } },
    chains: [
      {
        chainId: devnet.chainId,
        name: 'Development chain',
        nodeUrls: [node.url],
        paymasterContracts: [{ version: '4.0.0', family, address: contract, treasury: devnet.treasury }],
        nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
        signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
        maxFeePerGasCeiling: '500 gwei',
        maxCostPerOperation: '1 ether',
        callTimeoutMs: 20_000,
        confirmations: 2,
        pollIntervalMs: 50,
        treasury: { wallet: 'hot', maxPerDay: '20 ether', deposits: rule },
      },
    ],
  };
}

const start = async () => {
  running = startTollfree(['node', '--config', file('config.json')]);
  await running.line('stderr', /"msg":"started"/);
};

const transferSchema = z.object({ state: z.string(), nonce: z.number(), txHashes: z.array(z.string()) });
const reportSchema = z.array(
  z.object({
    wallet: z.string(),
    sentInDay: z.string(),
    transfers: z.array(transferSchema),
    targets: z.array(z.object({ isDue: z.boolean() })),
  }),
);

/** What `tollfree treasury` says next to the service, or without it. */
async function report() {
  const { code, stdout, stderr } = await runInPlace(['treasury', '--json', '--config', file('config.json')]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const [own] = reportSchema.parse(JSON.parse(stdout));
  return own;
}

let first: Hex | undefined;

test('a transfer that no node has taken is stored when the service is killed', async () => {
  takes = false;
  await start();
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0), patience);
  await running?.stop('SIGKILL');
  [first] = sent;
  expect(await report()).toMatchObject({
    wallet: treasury,
    transfers: [{ state: 'open', nonce: 0, txHashes: [keccak256(first ?? '0x')] }],
    targets: [{ isDue: true }],
  });
  expect(await depositOf(devnet, version, contract)).toBeLessThan(ether('2'));
});

test('the next start sends the same transaction, and is killed before it is confirmed', async () => {
  [takes, sent] = [true, []];
  await start();
  await vi.waitFor(async () => expect(await depositOf(devnet, version, contract)).toBe(ether('5')), patience);
  await running?.stop('SIGKILL');
  expect(new Set(sent)).toEqual(new Set([first]));
});

test('the start after that finds it landed and sends nothing more, with the ledger exact', async () => {
  await start();
  await devnet.client.mine({ blocks: 3 });
  await vi.waitFor(async () => expect((await report())?.transfers[0]?.state).toBe('landed'), patience);
  expect(await report()).toMatchObject({ transfers: [{ nonce: 0 }], targets: [{ isDue: false }] });
  expect((await report())?.transfers).toHaveLength(1);
  expect(await devnet.client.getTransactionCount({ address: treasury })).toBe(1);
  expect(await depositOf(devnet, version, contract)).toBe(ether('5'));
  const check = await runInPlace(['ledger', 'check', '--core', `unix:${file('core.sock')}`]);
  expect(check).toMatchObject({ code: 0, stderr: '' });
  expect(check.stdout).toMatch(/from the treasury\s+5 ether/);
});

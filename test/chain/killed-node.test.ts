import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { type BookedHold, readHolds, readSignedDecisions, readTank } from '../support/service/chain-ledger.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, prefundOf, withAnswer } from '../support/service/chain-sponsorship.ts';

const family = 'pimlico-singleton-0.7';
const fundingKey = deriveDevKey(1);
const wallet = privateKeyToAccount(fundingKey).address;
const patience = { timeout: 20_000 };

let folder: string;
let devnet: Devnet;
let configFile: string;
let paymaster: Pick<DevPaymaster, 'apiKey' | 'address'>;
let running: RunningTollfree | undefined;
const readyAfterMs: number[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-killed-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'cd'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), 'a password of the test', { mode: 0o600 });
  const signer = writeKeystore(file('signer.json'), 'a password of the test');
  devnet = await startDevnet({ port: 0, paymasterSigner: signer });
  configFile = file('config.json');
  writeFileSync(configFile, JSON.stringify(configuration()));

  const node = await startNode();
  const { core, close } = connectCore({ address: node.grpc });
  const { accountId } = accepted(await core.createAccount({ name: 'killed' }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'test' }));
  close();
  const management = createManagementClient({ baseUrl: node.url, authToken });
  paymaster = await registerPaymaster({ devnet, management, gatewayUrl: node.url }, '0.7', fundingKey);
  await kill();
});
afterEach(kill);
afterAll(async () => {
  console.log(`\ntollfree node answered /readyz with 200 after ${readyAfterMs.join(', ')} ms\n`);
  await kill();
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
});

function configuration() {
  const contract = {
    version: '2.0.0',
    family,
    address: devnet.paymasterContracts[family],
    tokenRecipient: devnet.tokenRecipient,
  };
  return {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    gateway: { listen: '127.0.0.1:0', adminListen: '127.0.0.1:0' },
    holds: { maxOpenHoldsPerClient: 100_000, maxShareOfTankPerClient: 1 },
    grpc: { listen: 'unix:core.sock' },
    chains: [
      {
        chainId: devnet.chainId,
        name: 'Development chain',
        nodeUrls: [devnet.rpcUrl],
        paymasterContracts: [contract],
        nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
        signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
        maxFeePerGasCeiling: '500 gwei',
        maxCostPerOperation: '1 ether',
        confirmations: 0,
        pollIntervalMs: 100,
      },
    ],
  };
}

type Node = { readonly url: string; readonly adminUrl: string; readonly grpc: string };

/** Starts `tollfree node` on the same files as before, until it is ready. */
async function startNode(): Promise<Node> {
  const begun = Date.now();
  running = startTollfree(['node', '--config', configFile]);
  const node: Node = JSON.parse(await running.line('stderr', /"msg":"started"/));
  await vi.waitFor(async () => expect((await fetch(`${node.adminUrl}/readyz`)).status).toBe(200), patience);
  readyAfterMs.push(Date.now() - begun);
  return node;
}

async function kill(): Promise<void> {
  await running?.stop('SIGKILL');
}

const database = () => join(folder, 'tollfree.db');
const holds = (): readonly BookedHold[] => readHolds(database(), paymaster.address, wallet);
const tank = () => readTank(database(), paymaster.address, wallet);
const rpcUrl = (node: Node) => `${node.url}/api/v1/${devnet.chainId}/${paymaster.apiKey}`;

/** An operation of a new account, and what the node signed for it; no answer when the node died over it. */
async function ask(node: Node) {
  const account = newSmartAccount('0.7');
  const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const answer = await askSponsorship(rpcUrl(node), operation).then(signedAnswer, () => undefined);
  return { account, operation, answer };
}

type Asked = Awaited<ReturnType<typeof ask>>;

function sumOf(list: readonly BookedHold[]): bigint {
  return list.reduce((sum, hold) => sum + hold.amount, 0n);
}

/** What must hold in the ledger whenever the process was killed. */
function expectLedgerBalances(): void {
  const live = holds().filter(({ state }) => state === 'live');
  expect(tank().held).toBe(sumOf(live));
  expect(tank().held + tank().settled).toBeLessThanOrEqual(tank().funded);
}

test('killed between requests, the node comes back with every hold it had, three times over', async () => {
  for (const _ of [1, 2, 3]) {
    const before = holds();
    const node = await startNode();
    expect(holds()).toEqual(before);
    const asked = [await ask(node), await ask(node)];
    for (const { operation, answer } of asked) {
      if (answer === undefined) throw new Error('The node did not sign.');
      expect(holds()).toContainEqual({
        holdId: expect.any(Number),
        sender: operation.sender,
        nonce: operation.nonce,
        amount: prefundOf(operation, answer),
        validUntil: answer.validUntil,
        state: 'live',
      });
    }
    await kill();
    expect(holds()).toHaveLength(before.length + 2);
    expectLedgerBalances();
  }
});

/** Asks on and on with many at a time, and kills the node at its n-th signature with the others under way. */
async function killUnderLoad(node: Node, signatures: number) {
  const answered: { readonly [K in keyof Asked]: NonNullable<Asked[K]> }[] = [];
  let dead: Promise<void> | undefined;
  async function askOn(): Promise<void> {
    while (dead === undefined) {
      const { answer, ...rest } = await ask(node);
      if (answer === undefined) return;
      answered.push({ ...rest, answer });
      if (answered.length === signatures) dead = kill();
    }
  }
  await Promise.all(Array.from({ length: 24 }, askOn));
  await dead;
  return answered;
}

test('killed in a loop under load, no signature is out without its hold and its record, and no hold is lost', {
  timeout: 240_000,
}, async () => {
  const all: Awaited<ReturnType<typeof killUnderLoad>> = [];
  for (const signatures of [1, 24, 97]) {
    const before = holds();
    all.push(...(await killUnderLoad(await startNode(), signatures)));
    const after = holds();
    expect(after.slice(0, before.length)).toEqual(before);
    const live = new Map(after.filter(({ state }) => state === 'live').map((hold) => [hold.sender, hold]));
    for (const { operation, answer } of all) {
      expect(live.get(operation.sender)?.amount).toBe(prefundOf(operation, answer));
    }
    expect(readSignedDecisions(database())).toEqual(after.map(({ holdId }) => holdId));
    expectLedgerBalances();
  }
});

test('killed after it has signed, an operation that lands meanwhile is settled when it is back', async () => {
  const node = await startNode();
  const settledBefore = tank().settled;
  const [first] = await killUnderLoad(node, 1);
  if (first === undefined) throw new Error('Nothing was answered before the node was killed.');
  // It lands while the service is down: the ledger catch up when it is back.
  const outcome = await land(devnet, first.account, withAnswer(first.operation, first.answer));
  expect(outcome.success).toBe(true);
  const again = await startNode();
  await vi.waitFor(() => expect(tank().settled).toBe(settledBefore + outcome.actualGasCost), patience);
  expectLedgerBalances();
  expect((await ask(again)).answer).toBeDefined();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, parseAbi, parseEther } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { readSigners } from '../../core/ledger/signers.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { accepted } from '../../server/accepted.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  fillTank,
  mineAt,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

const signersAbi = parseAbi(['function addSigner(address _signer)', 'function removeSigner(address _signer)']);
const folder = mkdtempSync(join(tmpdir(), 'tollfree-signers-'));
const databaseFile = join(folder, 'tollfree.db');
/** What the services share. */
const files = {
  database: { kind: 'sqlite', file: databaseFile },
  masterKey: new Secret<Uint8Array>(new Uint8Array(32).fill(7)),
} as const;
const newKey = freshKey();
const [oldSigner, newSigner] = [privateKeyToAddress(leasedSignerKey), privateKeyToAddress(newKey)];
const rawKey = (key: `0x${string}`) => ({ kind: 'raw', privateKey: new Secret(key) }) as const;

let devnet: Devnet;
let service: RunningService;
let paymaster: LabPaymaster;
/** Our clock, which follows the chain's where a test sets that ahead. */
let aheadMs = 0;

beforeAll(async () => {
  devnet = await leaseDevnet();
  service = await startService({ devnet, configure: (config) => ({ ...config, ...files }) });
  paymaster = await openPaymaster(service, '0.7');
  const wallet = await walletWith(devnet, 0n);
  await chooseWallet(paymaster, wallet);
  await fillTank(devnet, '0.7', wallet, parseEther('5'));
  await untilReady();
});
afterAll(async () => {
  await service.close();
  await devnet.close();
  rmSync(folder, { recursive: true });
});

/** The next service on the same database and chain, with a new key and the old one behind it. */
async function restartWithNewKey(): Promise<{ readonly log: readonly string[] }> {
  await service.close();
  const log: string[] = [];
  const keep = (_fields: object, message: string) => void log.push(message);
  service = await startService({
    devnet,
    clock: { now: () => Date.now() + aheadMs },
    logger: { ...silentLogger, info: keep, warn: keep },
    configure: (config) => ({
      ...config,
      ...files,
      chains: config.chains.map((chain) => ({
        ...chain,
        signer: rawKey(newKey),
        previousSigners: [rawKey(leasedSignerKey)],
      })),
    }),
  });
  await untilReady();
  return { log };
}

/** It signs once it has seen the chain. */
async function untilReady(): Promise<void> {
  const status = async () => (await fetch(`${service.adminUrl}/readyz`)).status;
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 10_000 });
}

/** What the contract's owner does, who is the first signer. */
async function asOwner(functionName: 'addSigner' | 'removeSigner', signer: Address): Promise<void> {
  const address = devnet.paymasterContracts[devnetFamilies['0.7']];
  await devnet.client.setBalance({ address: oldSigner, value: parseEther('1') });
  const hash = await devnet.client.writeContract({
    account: privateKeyToAccount(leasedSignerKey),
    chain: devnet.client.chain,
    address,
    abi: signersAbi,
    functionName,
    args: [signer] as const,
  });
  await devnet.client.waitForTransactionReceipt({ hash });
}

type Signed = {
  readonly account: SmartAccount;
  readonly asked: DevUserOperation;
  readonly operation: DevUserOperation;
};

async function signFor(account: SmartAccount): Promise<Signed> {
  const asked = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  return { account, asked, operation: withAnswer(asked, await sponsor(paymaster.rpcUrl, asked)) };
}

async function succeeds({ account, operation }: Signed): Promise<boolean> {
  return (await land(devnet, account, operation)).success;
}

async function readSignersNow() {
  const store = await openSqliteStore(databaseFile);
  const signers = (await readSigners(store)).filter(
    ({ contract }) => contract === devnet.paymasterContracts[devnetFamilies['0.7']],
  );
  await store.close();
  return signers;
}

async function readStates() {
  const signers = accepted(await service.core.readSigners());
  return signers.filter(({ contract }) => contract === devnet.paymasterContracts[devnetFamilies['0.7']]);
}

test('a key takes over from another without a refusal, and what the old one has signed lands until it ends', async () => {
  const early = await signFor(newSmartAccount('0.7'));
  const kept = await signFor(newSmartAccount('0.7'));

  // The contract does not know the new key yet: the old one goes on.
  const { log } = await restartWithNewKey();
  paymaster = { ...paymaster, rpcUrl: service.rpcUrl(paymaster.apiKey) };
  expect(log.filter((line) => line.includes(`Until then ${oldSigner} signs for it`))).not.toEqual([]);
  expect(await succeeds(await signFor(newSmartAccount('0.7')))).toBe(true);

  const places = [{ kind: 'raw' }];
  expect(await readStates()).toMatchObject([
    { signer: newSigner, state: 'not-trusted', places, complaint: expect.stringContaining(newSigner) },
    { signer: oldSigner, state: 'signs', places, since: expect.any(Number) },
  ]);

  await asOwner('addSigner', newSigner);
  await vi.waitFor(() => expect(log).toContain('The newest key now signs for the contract'), { timeout: 10_000 });
  const again = withAnswer(kept.asked, await sponsor(paymaster.rpcUrl, kept.asked));
  expect(again.paymasterAndData).not.toBe(kept.operation.paymasterAndData);
  expect(again.paymasterAndData.slice(0, -130)).toBe(kept.operation.paymasterAndData.slice(0, -130));
  expect(await succeeds(early)).toBe(true);
  expect(await readStates()).toMatchObject([
    { signer: newSigner, state: 'signs' },
    { signer: oldSigner, state: 'stands-by', openUntil: expect.any(Number) },
  ]);
  expect(await readSignersNow()).toMatchObject([
    { signer: newSigner },
    { signer: oldSigner, until: expect.any(Number), openUntil: expect.any(Number) },
  ]);

  // The signature that no one sent ends by itself; then the old key can go.
  const validity = 700;
  aheadMs += validity * 1_000;
  await mineAt(devnet, Number((await devnet.client.getBlock()).timestamp) + validity);
  await vi.waitFor(
    async () =>
      expect((await readSignersNow()).find(({ signer }) => signer === oldSigner)).not.toHaveProperty('openUntil'),
    { timeout: 10_000, interval: 200 },
  );
  // Nothing is signed on what was seen before the clock went on.
  await untilReady();
  await asOwner('removeSigner', oldSigner);
  expect(await succeeds(await signFor(newSmartAccount('0.7')))).toBe(true);
});

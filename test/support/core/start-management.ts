import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { onTestFinished } from 'vitest';
import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import { Secret } from '../../../core/base/values/secret.ts';
import type { Owned } from '../../../core/domain/access/actor.ts';
import type { ChainConfig, CoreConfig } from '../../../core/domain/core-config.ts';
import type { Paymaster } from '../../../core/domain/paymaster.ts';
import type { Result } from '../../../core/domain/result/result.ts';
import type { AskContractWallet, SignUpMode } from '../../../core/domain/sign-in.ts';
import type { HasCode } from '../../../core/management/contracts/manage-contracts.ts';
import { createManagement, type Management } from '../../../core/management/create-management.ts';
import { createUseRecorder } from '../../../core/paymasters/key-rates.ts';
import { createSponsorProfiles, type SponsorProfiles } from '../../../core/paymasters/sponsor-profiles.ts';
import { openStore } from '../../../core/store/open-store.ts';
import type { Store } from '../../../core/store/store.ts';
import { silentLogger } from '../logging/recording-logger.ts';
import { testDatabase } from '../store/test-database.ts';

/** A clock that stands still until it is set. Milliseconds. */
export type TestClock = { now(): number; advance(seconds: number): void };

export type TestManagement = {
  readonly management: Management;
  readonly profiles: SponsorProfiles;
  readonly store: Store;
  readonly clock: TestClock;
  readonly folder: string;
  readonly config: CoreConfig;
  /** Writes when authTokens and sessions were last used, which otherwise comes behind. */
  writeUses(): Promise<void>;
};

/** The time at which every test starts, in Unix seconds. */
export const startTime = 1_800_000_000;

const masterKey = new Secret<Uint8Array>(Uint8Array.from({ length: 32 }, (_, index) => index + 1));

/** Management on a database of its own, or on the one in `folder`. Closed and removed with the current test. */
export async function startManagement(
  options: { folder?: string; signUp?: SignUpMode; askContractWallet?: AskContractWallet; hasCode?: HasCode } = {},
): Promise<TestManagement> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'tollfree-test-'));
  const config = { ...testConfig(await testDatabase(folder)), ...omitAbsent({ signUp: options.signUp }) };
  const store = await openStore(config.database);
  onTestFinished(async () => {
    await uses.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const clock = createTestClock();
  const profiles = createSponsorProfiles({ store, clock, masterKey });
  const uses = createUseRecorder(store, silentLogger);
  const { noteUse, flush: writeUses } = uses;
  const parts = { store, profiles, config, clock, noteUse };
  const management = createManagement({
    ...parts,
    coinPrice: async () => undefined,
    ...omitAbsent({ askContractWallet: options.askContractWallet, hasCode: options.hasCode }),
  });
  return { management, profiles, store, clock, folder, config, writeUses };
}

/** The value of a result that has to be one. */
export function accepted<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`Refused with ${result.refusal.reason}: ${result.refusal.message}`);
  return result.value;
}

/** Reason and message of a result that has to be a refusal. */
export function refusalOf(result: Result<unknown>): string {
  if (result.ok) throw new Error('Was accepted');
  return `${result.refusal.reason}: ${result.refusal.message}`;
}

export async function newAccount(management: Management, name = 'Ada'): Promise<string> {
  return accepted(await management.createAccount({ name })).accountId;
}

/** A paymaster of a new account. */
export async function newPaymaster(
  management: Management,
  name = 'Shop',
): Promise<{ owned: Owned; paymaster: Paymaster }> {
  const accountId = await newAccount(management);
  const input = { accountId, name, type: 'HYBRID', chainId: 1337, version: '2.0.0' };
  const paymaster = accepted(await management.createPaymaster(input));
  return { owned: { accountId, paymasterId: paymaster.paymasterId }, paymaster };
}

function createTestClock(): TestClock {
  let now = startTime * 1_000;
  return {
    now: () => now,
    advance: (seconds) => {
      now += seconds * 1_000;
    },
  };
}

export function testConfig(database: DatabaseAddress): CoreConfig {
  return {
    database,
    masterKey,
    chains: [testChain(1337, 'Devnet', ['1.0.0', '2.0.0']), testChain(80002, 'Amoy', ['2.0.0'])],
    webhooks: { allowHttp: true, allowedRanges: ['127.0.0.0/8'], timeoutMs: 2_000, connectTimeoutMs: 500 },
    validity: { defaultSeconds: 300, minSeconds: 30, maxSeconds: 3_600 },
    decisions: { keepDays: 30, keepMost: 1_000_000 },
  };
}

function testChain(chainId: number, name: string, versions: readonly string[]): ChainConfig {
  const address = '0x00000000000000000000000000000000000000AA';
  return {
    chainId,
    name,
    nodeUrls: ['http://127.0.0.1:1'],
    callTimeoutMs: 1_000,
    entryPoints: {},
    paymasterContracts: versions.map((version) => ({ version, family: 'test', address, tokenRecipient: address })),
    tokens: [],
    nativePrice: { sources: [{ kind: 'fixed', usd: '1' }], minimumSources: 1, maximumDeviationBasisPoints: 200 },
    signer: { kind: 'raw', privateKey: new Secret<`0x${string}`>('0x01') },
    confirmations: 1,
    pollIntervalMs: 1_000,
    startBlock: 0n,
  };
}

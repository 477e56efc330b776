import { type Address, zeroAddress } from 'viem';
import { expect, vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../../server/dev/dev-file.ts';
import { type Devnet, type DevnetToken, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { depositOf, incrementsOf, tokenBalance } from '../chain/chain-lab.ts';
import { type LandedFacts, recordLanding } from '../chain/landings.ts';
import type { LandingClient } from '../chain/landings-table.ts';
import { readTank } from '../service/chain-ledger.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { type BiconomyBundler, type Landed, startBiconomyBundler } from './biconomy-bundler.ts';
import { withModularAccounts } from './to-modular-account.ts';

/** A running service with a funded paymaster for every EntryPoint, and a bundler next to it. */
export type ClientLab = {
  readonly service: RunningService;
  readonly devnet: Devnet;
  readonly bundler: BiconomyBundler;
  paymaster(version: EntryPointVersion): DevPaymaster;
  close(): Promise<void>;
};

export async function openClientLab(): Promise<ClientLab> {
  const service = await startService({ configure: withModularAccounts });
  const { devnet, config } = service;
  const [chain] = config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  const { authToken } = await service.issueAccount();
  const paymasters = new Map<EntryPointVersion, DevPaymaster>();
  for (const [index, version] of entryPointVersions.entries()) {
    paymasters.set(version, await service.fundedPaymaster(authToken, version, index + 1));
  }
  for (const { address, fundingWallet } of paymasters.values()) {
    await vi.waitFor(() => expect(readTank(config.database, address, fundingWallet).funded).toBeGreaterThan(0n), {
      timeout: 20_000,
    });
  }
  const bundler = await startBiconomyBundler(devnet, chain);
  return {
    service,
    devnet,
    bundler,
    paymaster: (version) => {
      const paymaster = paymasters.get(version);
      if (paymaster === undefined) throw new Error(`There is no paymaster for EntryPoint ${version}.`);
      return paymaster;
    },
    close: async () => {
      await bundler.close();
      await service.close();
    },
  };
}

/** Where operations land, and the paymasters that pay for them. */
export type LandingLab = Pick<ClientLab, 'devnet' | 'paymaster'>;

/** An operation that a client is about to land, and what has to hold for it. */
export type Attempt = {
  readonly client: LandingClient;
  readonly version: EntryPointVersion;
  readonly sender: Address;
  /** Who pays: the application, the user in a token up to the quoted base units, or the account in coin. */
  readonly payment: 'SPONSORED' | { readonly token: DevnetToken; readonly quoted: () => bigint } | 'self-pay';
  /** Calls of the target's `increment` in it; 1 unless told. */
  readonly increments?: number;
};

/**
 * Sends the operation and checks on the chain: it succeeded, the target was called, the paymaster's deposit fell by
 * exactly the operation's cost, and no one paid what someone else was to pay. Notes it in the table of the run.
 */
export async function expectLanded(lab: LandingLab, attempt: Attempt, send: () => Promise<Landed>): Promise<void> {
  const facts = await landAndCheck(lab, attempt, send);
  // What pays itself, or calls something else, has no place in the table.
  if (attempt.payment === 'self-pay' || facts.calls.made === 0n) return;
  await recordLanding(lab.devnet, { client: attempt.client, ...facts });
}

/** Sends the operation, checks on the chain what {@link expectLanded} checks, and returns what the chain says of it. */
export async function landAndCheck(
  { devnet, paymaster: paymasterOf }: LandingLab,
  attempt: Attempt,
  send: () => Promise<Landed>,
): Promise<LandedFacts> {
  const { version, sender, payment, increments = 1 } = attempt;
  const paymaster = paymasterOf(version).address;
  const token = typeof payment === 'object' ? payment.token : devnet.tokens[0];
  if (token === undefined) throw new Error('The chain has no tokens.');
  const before = await readState(devnet, { version, sender, paymaster, token });
  const outcome = await send();
  const after = await readState(devnet, { version, sender, paymaster, token });
  const selfPaid = payment === 'self-pay';
  const cost = outcome.actualGasCost;
  expect(outcome).toMatchObject({ success: true, sender, paymaster: selfPaid ? zeroAddress : paymaster });
  expect(after.increments - before.increments).toBe(BigInt(increments));
  expect(before.deposit - after.deposit).toBe(selfPaid ? 0n : cost);
  expect(before.coin - after.coin).toBe(selfPaid ? cost : 0n);
  const paid = before.tokens - after.tokens;
  expect(after.tokenRecipient - before.tokenRecipient).toBe(paid);
  const quoted = typeof payment === 'object' ? payment.quoted() : 0n;
  expect(paid).toBeLessThanOrEqual(quoted);
  expect(paid > 0n).toBe(typeof payment === 'object');
  return {
    family: devnetFamilies[version],
    entryPoint: version,
    mode: typeof payment === 'object' ? 'ERC20' : 'SPONSORED',
    outcome,
    calls: { made: BigInt(increments), arrived: after.increments - before.increments },
    depositFell: before.deposit - after.deposit,
    tokens: { paid, quoted },
  };
}

async function readState(
  devnet: Devnet,
  on: { version: EntryPointVersion; sender: Address; paymaster: Address; token: DevnetToken },
) {
  const [deposit, balance, ownDeposit, tokens, tokenRecipient, increments] = await Promise.all([
    depositOf(devnet, on.version, on.paymaster),
    devnet.client.getBalance({ address: on.sender }),
    depositOf(devnet, on.version, on.sender),
    tokenBalance(devnet, on.token, on.sender),
    tokenBalance(devnet, on.token, devnet.tokenRecipient),
    incrementsOf(devnet, on.sender),
  ]);
  return { deposit, coin: balance + ownDeposit, tokens, tokenRecipient, increments };
}

/** The most a quote can cost in base units, computed in doubles as these clients do. */
export function quotedMaximum({ maxGasFee, decimal }: { maxGasFee: number; decimal: number }): bigint {
  return BigInt(Math.ceil(maxGasFee * 10 ** decimal));
}

/** What a call was rejected with; throws when it was not. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const settled = await call.then(
    () => ({ rejected: false, reason: undefined }),
    (reason: unknown) => ({ rejected: true, reason }),
  );
  if (!settled.rejected) throw new Error('The call was not rejected.');
  return settled.reason;
}

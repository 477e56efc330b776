import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely } from 'kysely';
import type { Address, Hex } from 'viem';
import { type Clock, unixSeconds } from '../../core/base/time/clock.ts';
import { readLatestTransfers, readSentInDay, type TransferState } from '../../core/ledger/treasury/transfers.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { readBalance } from '../../core/runtime/treasury/find-due-refill.ts';
import { refillTargets } from '../../core/runtime/treasury/refill-targets.ts';
import type { Database } from '../../core/store/database.ts';
import type { ChainSection } from '../config/chain-schema.ts';
import { addressOfKey } from '../keys/address-of-key.ts';
import { configuredContracts } from '../paymaster-contract/configured-contract.ts';

const maxTransfers = 10;

/** A hot wallet's balance, targets and transfers. Amounts in wei; balances are absent if no node reports them. */
export type TreasuryReport = {
  readonly chainId: number;
  readonly wallet?: Address;
  readonly balance?: bigint;
  readonly sentInDay: bigint;
  readonly maxPerDay: bigint;
  readonly targets: readonly {
    /** An executor, or a paymaster contract with a deposit at `entryPoint`. */
    readonly target: Address;
    readonly entryPoint?: Address;
    readonly balance?: bigint;
    readonly below: bigint;
    readonly to: bigint;
    readonly isDue: boolean;
  }[];
  /** Newest first. */
  readonly transfers: readonly {
    readonly target: Address;
    readonly amount: bigint;
    readonly nonce: number;
    readonly state: TransferState;
    readonly txHashes: readonly Hex[];
    readonly createdAt: number;
  }[];
};

/** Reads a chain that has a treasury. */
export async function readTreasury(chain: ChainSection, db: Kysely<Database>, clock: Clock): Promise<TreasuryReport> {
  const { treasury, chainId } = chain;
  if (treasury === undefined) throw new Error(`Chain ${chainId} has no treasury.`);
  const client = createChainClient(chain);
  const wallet = await addressOfKey(treasury.wallet);
  const known = (read: Promise<bigint>) => read.catch(() => undefined);
  const balance = wallet && (await known(client.getBalance({ address: wallet })));
  const executors = chain.bundler?.relay?.executors ?? [];
  const all = refillTargets(omitAbsent(treasury), { executors, contracts: configuredContracts(chain) });
  const targets = all.map(async ({ rule, ...place }) => {
    const balance = await known(readBalance(client, place));
    const isDue = balance !== undefined && balance < rule.below;
    return { ...place, ...rule, isDue, ...omitAbsent({ balance }) };
  });
  const transfers = await readLatestTransfers(db, chainId, maxTransfers);
  return {
    chainId,
    ...omitAbsent({ wallet, balance }),
    sentInDay: await readSentInDay(db, chainId, unixSeconds(clock)),
    maxPerDay: treasury.maxPerDay,
    targets: await Promise.all(targets),
    transfers: transfers.map(({ target, amount, nonce, state, txHashes, createdAt }) => ({
      ...{ target, amount, nonce, state, txHashes, createdAt },
    })),
  };
}

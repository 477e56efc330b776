import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely } from 'kysely';
import { type Address, formatEther } from 'viem';
import { mistake } from '../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from '../clients/cli/terminal/print-answer.ts';
import { type Clock, unixSeconds } from '../core/base/time/clock.ts';
import type { RefillRule } from '../core/domain/chain-config.ts';
import { readLatestTransfers, readSentInDay, type Transfer } from '../core/ledger/hot-wallet/transfers.ts';
import { createChainClient } from '../core/node/chain-client.ts';
import type { RefillTarget } from '../core/runtime/hot-wallet/hot-wallet-parts.ts';
import { readBalance, refillTargets } from '../core/runtime/hot-wallet/refill-targets.ts';
import type { Database } from '../core/store/database.ts';
import { openToRead } from '../core/store/open-store.ts';
import type { ChainSection } from './config/chain-schema.ts';
import { databaseOf, loadConfig, withOwnConfig } from './config/load-config.ts';
import { addressOfKey } from './keystores.ts';
import { configuredContracts } from './paymaster-contract/configured-contract.ts';
import { systemClock } from './system-clock.ts';

/** `tollfree hot-wallet`. Works while a service runs, and changes nothing. */
export async function showHotWallet(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const chains = (config.chains ?? []).filter(({ hotWallet }) => hotWallet !== undefined);
  if (chains.length === 0) throw mistake('No chain of the configuration has a hot wallet.');
  const store = await openToRead(databaseOf(config));
  try {
    const reports = await Promise.all(chains.map((chain) => readHotWallet(chain, store.db, systemClock)));
    printAnswer(flags, reports, () => reports.forEach(print));
  } finally {
    await store.close();
  }
}

function print({ chainId, wallet, balance, sentInDay, maxPerDay, targets, transfers }: HotWalletReport): void {
  printLine(`Chain ${chainId}: ${wallet ?? 'the keystore cannot be read'} has ${ether(balance)}.`);
  printLine(`Counted in the last 24 hours: ${ether(sentInDay)} of ${ether(maxPerDay)}.`);
  printRows(
    targets.map(({ target, entryPoint, balance, below, to, isDue }) => ({
      target: `${entryPoint === undefined ? 'executor' : 'deposit of'} ${target}`,
      balance: ether(balance),
      below: ether(below),
      to: ether(to),
      due: isDue ? 'yes' : 'no',
    })),
  );
  if (transfers.length === 0) printHint('Nothing has been sent yet.');
  else
    printRows(
      transfers.map(({ createdAt, target, amount, state, txHashes }) => ({
        sent: formatTime(createdAt),
        target,
        amount: ether(amount),
        state,
        transaction: txHashes.at(-1) ?? '-',
      })),
    );
}

function ether(amount: bigint | undefined): string {
  return amount === undefined ? 'unknown' : `${formatEther(amount)} ether`;
}

const maxTransfers = 10;

/** A hot wallet's balance, targets and transfers. Amounts in wei; balances are absent if no node reports them. */
type HotWalletReport = {
  readonly chainId: number;
  readonly wallet?: Address;
  readonly balance?: bigint;
  readonly sentInDay: bigint;
  readonly maxPerDay: bigint;
  readonly targets: readonly (Omit<RefillTarget, 'rule'> &
    RefillRule & { readonly balance?: bigint; readonly isDue: boolean })[];
  /** Newest first. */
  readonly transfers: readonly Pick<Transfer, 'target' | 'amount' | 'nonce' | 'state' | 'txHashes' | 'createdAt'>[];
};

async function readHotWallet(chain: ChainSection, db: Kysely<Database>, clock: Clock): Promise<HotWalletReport> {
  const { hotWallet, chainId } = chain;
  if (hotWallet === undefined) throw new Error(`Chain ${chainId} has no hot wallet.`);
  const client = createChainClient(chain);
  const wallet = await addressOfKey(hotWallet.wallet);
  const known = (read: Promise<bigint>) => read.catch(() => undefined);
  const balance = wallet && (await known(client.getBalance({ address: wallet })));
  const executors = chain.bundler?.relay?.executors ?? [];
  const all = refillTargets(omitAbsent(hotWallet), { executors, contracts: configuredContracts(chain) });
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
    maxPerDay: hotWallet.maxPerDay,
    targets: await Promise.all(targets),
    transfers: transfers.map(({ target, amount, nonce, state, txHashes, createdAt }) => ({
      target,
      amount,
      nonce,
      state,
      txHashes,
      createdAt,
    })),
  };
}

import { formatEther } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { formatTime, printRows } from '../../clients/cli/terminal/print-rows.ts';
import { openToRead } from '../../core/store/read-only/open-to-read.ts';
import { databaseOf } from '../config/database-of.ts';
import { loadConfig } from '../config/load-config.ts';
import { withOwnConfig } from '../config/own-config.ts';
import { systemClock } from '../system-clock.ts';
import { readTreasury, type TreasuryReport } from './read-treasury.ts';

/** `tollfree treasury`. Works while a service runs, and changes nothing. */
export async function showTreasury(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const chains = (config.chains ?? []).filter(({ treasury }) => treasury !== undefined);
  if (chains.length === 0) throw mistake('No chain of the configuration has a treasury.');
  const store = await openToRead(databaseOf(config));
  try {
    const reports = await Promise.all(chains.map((chain) => readTreasury(chain, store.db, systemClock)));
    printAnswer(flags, reports, () => reports.forEach(print));
  } finally {
    await store.close();
  }
}

function print({ chainId, wallet, balance, sentInDay, maxPerDay, targets, transfers }: TreasuryReport): void {
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

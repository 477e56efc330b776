import { formatEther } from 'viem';
import type { Core } from '../../../core/core.ts';
import type { LedgerReport } from '../../../core/domain/ledger-report.ts';
import { accepted } from '../accepted.ts';
import { mistake } from '../cli-error.ts';
import { type Flags, loadConfig } from '../config/load-config.ts';
import { weiAmountSchema } from '../config/wei-amount.ts';
import { requiredFlag } from '../manage/text-flag.ts';
import { reachCore } from '../reach-core.ts';

/** `tollfree ledger check`: a block of lines for each paymaster contract. Fails when books and chain do not agree. */
export async function checkLedger(flags: Flags): Promise<void> {
  const reports = await withCore(flags, async (core) => accepted(await core.checkLedger()));
  process.stdout.write(`${reports.map(describeReport).join('\n\n')}\n`);
  const wrong = reports.filter((report) => !addsUp(report)).length;
  if (wrong > 0) throw mistake(`The books of ${wrong} of ${reports.length} paymaster contracts do not add up.`);
}

/** `tollfree tank credit` and `tollfree tank debit`. */
export async function adjustTank(
  { kind, paymasterId, amount: text }: { kind: 'credit' | 'debit'; paymasterId: string; amount: string },
  flags: Flags,
): Promise<void> {
  const amount = weiAmountSchema.safeParse(text);
  if (!amount.success) throw mistake('The amount must have its unit, like "50 gwei" or "0.05 ether".');
  const reason = requiredFlag(flags, 'reason');
  const input = { kind, paymasterId, amount: amount.data, reason };
  const tank = await withCore(flags, async (core) => accepted(await core.adjustTank(input)));
  const done = kind === 'credit' ? 'Credited' : 'Debited';
  process.stdout.write(`${done} ${formatWei(amount.data)}. The tank has ${formatWei(tank.available)} to sign for.\n`);
}

async function withCore<T>(flags: Flags, work: (core: Core) => Promise<T>): Promise<T> {
  const { core, close } = reachCore(loadConfig(flags));
  try {
    return await work(core);
  } finally {
    close();
  }
}

function addsUp({ difference, faults }: LedgerReport): boolean {
  return difference === 0n && faults.length === 0;
}

function describeReport(report: LedgerReport): string {
  const lines: readonly (readonly [string, string])[] = [
    ['deposit on chain', formatWei(report.chainDeposit)],
    ['deposit in the books', formatWei(report.bookDeposit)],
    ['difference', formatWei(report.difference)],
    ['in gas tanks: funded', formatWei(report.funded)],
    ['in gas tanks: settled', formatWei(report.settled)],
    ['in gas tanks: held', formatWei(report.held)],
    ['deposits of no tank', formatWei(report.unattributedDeposits)],
    ['withdrawn by the owner', formatWei(report.withdrawals)],
    ['costs of no hold', formatWei(report.unexplainedCosts)],
    ...report.faults.map((fault) => ['fault', fault] as const),
  ];
  const verdict = addsUp(report) ? 'adds up' : 'DOES NOT ADD UP';
  const title = `chain ${report.chainId}, contract ${report.contract}, block ${report.atBlock}: ${verdict}`;
  return [title, ...lines.map(([name, value]) => `  ${name.padEnd(22)}  ${value}`)].join('\n');
}

function formatWei(amount: bigint): string {
  return `${formatEther(amount)} ether (${amount} wei)`;
}

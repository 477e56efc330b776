import { counted } from '@tollfree/contract/counted';
import { maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { formatEther, type Hex, isHash, zeroHash } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { countFlag, type Flags, requiredFlag, textFlag, wholeNumberFlag } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import type { TankAdjustmentKind } from '../../core/domain/gas-tank.ts';
import type { LedgerReport } from '../../core/domain/ledger-report.ts';
import { endWait, readLostAt } from '../../core/store/postgres/read-server-history.ts';
import { accepted } from '../accepted.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { loadConfig } from '../config/load-config.ts';
import { weiAmountSchema } from '../config/value-schemas.ts';
import { findPaymaster } from '../find-paymaster.ts';
import { withCore } from '../with-core.ts';

/**
 * `tollfree ledger check`: a paragraph per paymaster contract. Fails when ledger and chain do not agree, or a chain could
 * not be read.
 */
export async function checkLedger(flags: Flags): Promise<void> {
  const reports = await readReports(flags);
  const judged = reports.map((report) => ({ ...report, verdict: verdictOf(report) }));
  printAnswer(flags, judged, () => printLine(reports.map(describeReport).join('\n\n')));
  requireAgreement(reports);
}

/** Compares the ledger with every chain. */
export function readReports(flags: Flags): Promise<readonly LedgerReport[]> {
  const allRows = flags.allRows === true;
  const ask = () => withCore(flags, async (core) => accepted(await core.checkLedger({ allRows })));
  return withProgress('Comparing the ledger with the chains', ask);
}

/** Throws a `CliError` where a ledger does not agree with its chain, or a chain could not be read. */
export function requireAgreement(reports: readonly LedgerReport[]): void {
  const count = (sought: Verdict) => reports.filter((report) => verdictOf(report) === sought).length;
  const wrong = count('DOES NOT ADD UP');
  const unreachable = count('CHAIN UNREACHABLE');
  if (wrong > 0) throw mistake(`The ledger of ${wrong} of ${reports.length} paymaster contracts does not add up.`);
  if (unreachable > 0) {
    throw mistake(`The chain of ${unreachable} of ${reports.length} paymaster contracts could not be read; try again.`);
  }
}

export async function revertLedger(flags: Flags): Promise<void> {
  const chainId = chainFlag(flags);
  const block = wholeNumberFlag(flags, 'block');
  const reversals = await withCore(flags, async (core) => accepted(await core.revertLedger({ chainId, block })));
  printAnswer(flags, reversals, () => {
    const lines = reversals.map(
      ({ contract, fromBlock, nextBlock, entries }) =>
        `${contract}: from block ${fromBlock} back to ${nextBlock}, ${counted(entries, 'entry', 'entries')} reversed`,
    );
    printLine(lines.length === 0 ? 'No ledger has entries after that block.' : lines.join('\n'));
  });
}

/** `tollfree tank credit` and `tollfree tank debit`, of the paymaster of `--paymaster` or the service's only one. */
export async function adjustTank(
  { kind, amount: text }: { kind: TankAdjustmentKind; amount: string },
  flags: Flags,
): Promise<void> {
  const amount = weiAmountSchema.safeParse(text);
  if (!amount.success) throw mistake('The amount must have its unit, like "50 gwei" or "0.05 ether".');
  const reason = requiredFlag(flags, 'reason');
  const input = {
    kind,
    amount: amount.data,
    reason,
    ...omitAbsent({ forTransaction: hashFlag(flags), relay: flags.relay === true ? (true as const) : undefined }),
  };
  const tank = await withCore(flags, async (core) => {
    const { paymasterId } = await findPaymaster(core, flags);
    return accepted(await core.adjustTank({ ...input, paymasterId }));
  });
  const done = kind === 'credit' ? 'Credited' : 'Debited';
  printAnswer(flags, tank, () =>
    printLine(`${done} ${formatWei(amount.data)}. The tank has ${formatWei(tank.available)} available.`),
  );
}

function hashFlag(flags: Flags): Hex | undefined {
  const hash = textFlag(flags, 'for');
  if (hash === undefined) return undefined;
  if (!isHash(hash)) throw mistake('--for must be the hash of a transaction, 0x and 64 hex digits.');
  return hash.toLowerCase() as Hex;
}

type Verdict = 'adds up' | 'DOES NOT ADD UP' | 'CHAIN UNREACHABLE';

/** The ledger's own rules may be violated even if the chain does not answer. */
function verdictOf({ state, difference, faults }: LedgerReport): Verdict {
  if (faults.length > 0) return 'DOES NOT ADD UP';
  if (state === 'unreachable') return 'CHAIN UNREACHABLE';
  return difference === 0n ? 'adds up' : 'DOES NOT ADD UP';
}

function describeReport(report: LedgerReport): string {
  const lines: readonly (readonly [string, string])[] = [
    ['deposit on chain', formatKnown(report.chainDeposit)],
    ['deposit in ledger', formatWei(report.bookDeposit)],
    ['difference', formatKnown(report.difference)],
    ['in gas tanks: funded', formatWei(report.funded)],
    ['in gas tanks: settled', formatWei(report.settled)],
    ['in gas tanks: held', formatWei(report.held)],
    ...(report.shortfall === 0n ? [] : [['held but withdrawn', formatWei(report.shortfall)] as const]),
    ...(report.margin === 0n ? [] : [['charged above the cost', formatWei(report.margin)] as const]),
    ...(report.customerBalances === undefined
      ? []
      : [['customer balances', formatWei(report.customerBalances)] as const]),
    ...((report.hotWalletDeposits ?? 0n) === 0n
      ? []
      : [['of the operator', formatKnown(report.hotWalletDeposits)] as const]),
    ['unmatched deposits', formatWei(report.unattributedDeposits)],
    ['withdrawn', formatWei(report.withdrawals)],
    ['unmatched costs', formatWei(report.unexplainedCosts)],
    ['rows read since', new Date(report.rowsReadAt * 1_000).toISOString()],
    ...report.faults.map((fault) => ['fault', fault] as const),
  ];
  const title = `chain ${report.chainId}, contract ${report.contract}, block ${report.atBlock}: ${verdictOf(report)}`;
  return [
    title,
    ...lines.map(([name, value]) => `  ${name.padEnd(22)}  ${value}`),
    ...describeStrays(report),
    ...describeIdle(report),
  ].join('\n');
}

/** The stray deposits, each with its transaction, its sender, and how to credit it. */
function describeStrays({ strayDeposits, strayDepositCount }: LedgerReport): readonly string[] {
  const lines = strayDeposits.flatMap(({ txHash, amount, sender, recovery }) => [
    `  unmatched deposit       ${formatWei(amount)}`,
    `    transaction           ${txHash === zeroHash ? 'none: before the ledger began' : txHash}`,
    `    sender                ${sender ?? 'unknown'}`,
    `    recovery              ${recovery}`,
  ]);
  const more = strayDepositCount - strayDeposits.length;
  return more > 0 ? [...lines, `  and ${more} smaller transactions with unmatched deposits`] : lines;
}

/** The tanks that no paymaster pays from: someone filled the tank of another wallet or another contract. */
function describeIdle({ idleTanks, idleTankCount }: LedgerReport): readonly string[] {
  const lines = idleTanks.map(
    ({ wallet, left }) =>
      `  unassigned tank         ${formatWei(left)} of ${wallet}: usable once a paymaster of the contract has that funding wallet`,
  );
  const more = idleTankCount - idleTanks.length;
  return more > 0 ? [...lines, `  and ${counted(more, 'more unassigned tank')} with less`] : lines;
}

function formatKnown(amount: bigint | undefined): string {
  return amount === undefined ? 'unknown' : formatWei(amount);
}

function formatWei(amount: bigint): string {
  return `${formatEther(amount)} ether (${amount} wei)`;
}

/**
 * `tollfree ledger resume`: ends the wait of all cores after their database lost committed data, once the ledger agrees with
 * every chain. Operations signed under lost holds can still land without money held for them, which the operator must
 * accept.
 */
export async function resumeLedger(flags: Flags): Promise<void> {
  const { databaseUrl } = loadConfig(flags);
  if (databaseUrl === undefined)
    throw mistake('Only a database on PostgreSQL can lose data in a failover: set databaseUrl.');
  const lostAt = await readLostAt(databaseUrl);
  if (lostAt === undefined) throw mistake('The database lacks nothing that is known: no core waits.');
  requireAgreement(await readReports(flags));
  if (flags.acceptLostHolds !== true) {
    throw mistake(
      'The ledger adds up. Signatures of the minutes before the failover may have lost their holds and can still land until they ' +
        'expire, at the cost of the deposit. Repeat with --accept-lost-holds to sign again at once.',
    );
  }
  if (!(await endWait(databaseUrl, lostAt))) throw mistake('The database has lost data again meanwhile. Check again.');
  printAnswer(flags, { lostAt }, () => printLine('The cores sign again within seconds.'));
}

export async function listHolds(flags: Flags): Promise<void> {
  const wanted = {
    chainId: chainFlag(flags),
    ...omitAbsent({
      sender: textFlag(flags, 'sender'),
      afterHoldId: countFlag(flags, 'after', Number.MAX_SAFE_INTEGER),
      limit: countFlag(flags, 'limit', maxPageSize),
    }),
  };
  const holds = await withCore(flags, async (core) => accepted(await core.listOpenHolds(wanted)));
  printAnswer(flags, holds, () =>
    printRows(
      holds.map(({ holdId: hold, createdAt, validUntil, amount, sender, nonce, contract, paymasterId }) => ({
        hold: String(hold),
        since: formatTime(createdAt),
        ends: validUntil === undefined ? 'never' : formatTime(validUntil),
        amount: `${formatEther(amount)} ether`,
        sender,
        nonce: String(nonce),
        contract,
        paymaster: paymasterId,
      })),
      'There are no holds.',
    ),
  );
}

export async function releaseHold(flags: Flags): Promise<void> {
  const chainId = chainFlag(flags);
  const holdId = Number(wholeNumberFlag(flags, 'hold'));
  const reason = requiredFlag(flags, 'reason');
  const released = await withCore(flags, async (core) => accepted(await core.releaseHold({ chainId, holdId, reason })));
  printAnswer(flags, released, () => {
    const { amount, sender, nonce, ground } = released;
    printLine(`Released ${formatEther(amount)} ether held for nonce ${nonce} of ${sender}: ${ground}.`);
  });
}

/** The chain id from `--chain`, which takes an id or a known name. */
function chainFlag(flags: Flags): number {
  const text = requiredFlag(flags, 'chain');
  const known = findWellKnownChain(text)?.chainId;
  if (known !== undefined) return known;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw mistake('--chain must be a chain id, or a name like base.');
}

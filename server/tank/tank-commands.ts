import { counted } from '@tollfree/contract/counted';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import type { MoneySumItem, TankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { formatEther } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { countFlag, type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { daysLeftText } from './days-left-text.ts';
import { withTank } from './with-tank.ts';

export async function showTank(flags: Flags): Promise<void> {
  await withTank(flags, async ({ readTank }) => {
    const tank = await readTank();
    printAnswer(flags, tank, () => {
      printLine(`contract       ${tank.contract} on chain ${tank.chainId}`);
      printLine(`wallet         ${tank.fundingWallet ?? 'none yet: tollfree funding set-wallet'}`);
      printLine(`funded         ${ether(tank.funded)}`);
      printLine(`settled        ${ether(tank.settled)}`);
      printLine(`held           ${ether(tank.held)}`);
      printLine(`available      ${ether(tank.available)}`);
      printLine(`chain deposit  ${tank.chainDeposit === undefined ? 'not known now' : ether(tank.chainDeposit)}`);
      if (tank.daysLeft !== undefined)
        printLine(`lasts          ${daysLeftText(tank.daysLeft)} at the rate of the last week`);
      if (tank.entriesSince !== undefined)
        printLine(`entries since  ${formatTime(tank.entriesSince)}; those of operations before are archived`);
      if (tank.filling !== undefined) printFilling(tank.filling);
      for (const { txHash, amount, recovery } of tank.strayDeposits ?? []) {
        printLine(`in no tank     ${ether(amount)} of transaction ${txHash}`);
        printLine(`               ${recovery}`);
      }
      if (tank.relay !== undefined) printRelay(tank.relay);
      for (const { fundingWallet, left, held } of tank.formerTanks ?? []) {
        printLine(`former wallet  ${fundingWallet}: ${ether(left)} left, ${ether(held)} held`);
      }
    });
  });
}

function printFilling({ to, call, data, from }: NonNullable<GasTankItem['filling']>): void {
  printLine(`fill it with   ${call} of ${to}, sent by ${fillers[from]}`);
  printLine(`for example    cast send ${to} ${data} --value 0.1ether`);
}

function printRelay({ executors, funded, settled, held, available }: NonNullable<GasTankItem['relay']>): void {
  printLine(
    `relay          ${ether(available)} available: ${ether(funded)} funded, ${ether(settled)} settled, ${ether(held)} held`,
  );
  printLine(`fill it with   a transfer from the wallet to ${executors.join(' or ')}`);
}

const fillers = {
  'funding-wallet': 'the wallet itself, one deposit in the transaction',
  anybody: 'any wallet',
} as const satisfies Record<NonNullable<GasTankItem['filling']>['from'], string>;

export async function listTankEntries(flags: Flags): Promise<void> {
  const limit = countFlag(flags, 'limit', maxPageSize);
  const cursor = textFlag(flags, 'cursor');
  await withTank(flags, async ({ readEntries }) => {
    const page = await readEntries(omitAbsent({ cursor, limit }));
    printAnswer(flags, page, () => {
      if (page.entries.length === 0) return printHint('The tank has no entries.');
      printRows(
        page.entries.map(({ createdAt, kind, amount, reason, txHash }) => ({
          time: formatTime(createdAt),
          kind,
          amount: ether(amount),
          what: reason ?? txHash ?? '',
        })),
      );
      if (page.nextCursor !== undefined) printHint(`There are older ones: --cursor ${page.nextCursor}`);
    });
  });
}

function ether(wei: string): string {
  return `${formatEther(BigInt(wei))} ether`;
}

/** `tollfree tank statement --by-day`. */
async function listTankDays(flags: Flags): Promise<void> {
  const asked = omitAbsent({ from: textFlag(flags, 'from'), until: textFlag(flags, 'until') });
  await withTank(flags, async ({ readDays }) => {
    const days = await readDays(asked);
    printAnswer(flags, days, () =>
      printRows(
        days.map(({ day, balance, spent }) => ({ day, balance: ether(balance), spent: ether(spent) })),
        'The paymaster has no funding wallet: tollfree funding set-wallet',
      ),
    );
  });
}

export async function showStatement(flags: Flags): Promise<void> {
  const asked = omitAbsent({ month: textFlag(flags, 'month') });
  const hasDays = flags.byDay === true;
  if (hasDays && asked.month !== undefined) throw mistake('Use either --month or --by-day.');
  if (!hasDays && (flags.from !== undefined || flags.until !== undefined)) {
    throw mistake('--from and --until need --by-day.');
  }
  if (hasDays) return listTankDays(flags);
  await withTank(flags, async ({ readStatement }) => {
    const statement = await readStatement(asked);
    printAnswer(flags, statement, () => {
      const { month, chainId, contract, tanks, vendor } = statement;
      printLine(`${month}, contract ${contract} on chain ${chainId}`);
      if (tanks.length === 0) return printHint('The paymaster has no tank yet.');
      for (const tank of tanks) printTank(tank);
      if (vendor === undefined) return;
      const { operations, worstCaseUsd } = vendor;
      printLine('');
      printLine(`vendor    ${counted(operations, 'operation')}, ${worstCaseUsd} USD at worst, paid by no tank`);
    });
  });
}

function printTank(tank: TankStatementItem): void {
  printLine('');
  printLine(`wallet      ${tank.fundingWallet}`);
  printLine(`opening     ${ether(tank.opening)}`);
  for (const head of ['deposited', 'withdrawn', 'credited', 'debited', 'spent'] as const) {
    printLine(`${head.padEnd(12)}${money(tank[head])}`);
  }
  printLine(`  premium   ${money(tank.premium)}`);
  printLine(`  users     ${money(tank.usersPaid)} of it, paid by users in tokens`);
  printLine(`closing     ${ether(tank.closing)}`);
  printLine(`operations  ${tank.operations}`);
  const { wei, operations } = tank.elsewhere;
  if (operations !== 0) printLine(`            ${operations} of them, ${ether(wei)}, not for this paymaster`);
}

function money({ wei, usd, unpriced }: MoneySumItem): string {
  if (wei === '0' && unpriced === 0) return ether(wei);
  if (unpriced > 0 && Number(usd) === 0) return `${ether(wei)} (no price)`;
  const left = unpriced === 0 ? '' : `, ${unpriced} without a price`;
  return `${ether(wei)} (${usd} USD${left})`;
}

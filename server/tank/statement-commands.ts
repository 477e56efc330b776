import type { MoneySumItem, TankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { formatEther } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { withTank } from './with-tank.ts';

/** `tollfree tank statement --days`. */
async function listTankDays(flags: Flags): Promise<void> {
  const asked = omitAbsent({ from: textFlag(flags, 'from'), until: textFlag(flags, 'until') });
  await withTank(flags, async ({ readDays }) => {
    const days = await readDays(asked);
    printAnswer(flags, days, () => {
      if (days.length === 0) return printHint('The paymaster has no funding wallet: tollfree funding set-wallet');
      printRows(days.map(({ day, balance, spent }) => ({ day, balance: ether(balance), spent: ether(spent) })));
    });
  });
}

export async function showStatement(flags: Flags): Promise<void> {
  const asked = omitAbsent({ month: textFlag(flags, 'month') });
  const hasDays = flags.days === true;
  if (hasDays && asked.month !== undefined) throw mistake('Use either --month or --days.');
  if (!hasDays && (flags.from !== undefined || flags.until !== undefined)) {
    throw mistake('--from and --until need --days.');
  }
  if (hasDays) return listTankDays(flags);
  await withTank(flags, async ({ readStatement }) => {
    const statement = await readStatement(asked);
    printAnswer(flags, statement, () => {
      const { month, chainId, contract, tanks, upstream } = statement;
      printLine(`${month}, contract ${contract} on chain ${chainId}`);
      if (tanks.length === 0) return printHint('The paymaster has no tank yet.');
      for (const tank of tanks) printTank(tank);
      if (upstream === undefined) return;
      const { operations, worstCaseUsd } = upstream;
      printLine('');
      printLine(`upstream    ${operations} operations, ${worstCaseUsd} USD at worst, paid by no tank`);
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
  printLine(`  users     ${ether(tank.usersPaid)} of it, paid by users in tokens`);
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

function ether(wei: string): string {
  return `${formatEther(BigInt(wei))} ether`;
}

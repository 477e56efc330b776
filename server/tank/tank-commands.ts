import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { formatEther } from 'viem';
import { countFlag, type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
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
      if (tank.daysLeft !== undefined) printLine(`days left      ${tank.daysLeft} at the rate of the last week`);
      if (tank.entriesSince !== undefined)
        printLine(`entries since  ${formatTime(tank.entriesSince)}; those of operations before are archived`);
      if (tank.filling !== undefined) printFilling(tank.filling);
      for (const { txHash, amount, wayBack } of tank.strayDeposits ?? []) {
        printLine(`in no tank     ${ether(amount)} of transaction ${txHash}`);
        printLine(`               ${wayBack}`);
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

import type { Address } from 'viem';
import { maxBigint } from '../../base/values/integers.ts';
import type { ChainEvent, DepositEvent } from '../../node/chain-event.ts';

/** By how much a deposit event raises a contract's deposit of `before`, in wei. */
export function depositRise({ direct, rise, totalDeposit }: DepositEvent, before: bigint): bigint {
  return direct?.amount ?? maxBigint(rise ?? totalDeposit - before, 0n);
}

/** The deposit that a contract has after the events of some blocks, in wei. */
export function depositAfter(before: bigint, events: readonly ChainEvent[], contract: Address): bigint {
  let deposit = before;
  for (const event of events) {
    if (event.contract !== contract) continue;
    if (event.kind === 'deposit') deposit += depositRise(event, deposit);
    if (event.kind === 'withdrawal' || event.kind === 'executor-cost') deposit -= event.amount;
    if (event.kind === 'user-operation') deposit -= event.actualGasCost;
  }
  return deposit;
}

import type { ObservedLedger } from '../service/observed-ledger.ts';
import { type LedgerModel, worthInBudgets } from './ledger-model.ts';
import { modelWindow } from './model-window.ts';

/** The sums that budgets are counted by are what the holds of their paymaster and day come to, and none is missing. */
export function compareWorths({
  model,
  observed,
  usdMicrosPerCoin,
}: {
  readonly model: LedgerModel;
  readonly observed: ObservedLedger;
  readonly usdMicrosPerCoin: bigint;
}): void {
  const sums = new Map<string, bigint>();
  for (const hold of model.holds) {
    for (const whose of [hold.paymasterId, '']) {
      for (const window of [modelWindow('day', hold.createdAt), 'ever']) {
        const name = `${whose} ${window}`;
        sums.set(name, (sums.get(name) ?? 0n) + worthInBudgets(hold, usdMicrosPerCoin));
      }
    }
  }
  for (const { paymaster_id, span, span_start, usd_micros } of observed.worthSums()) {
    const name = `${paymaster_id} ${modelWindow(span, span_start)}`;
    const expected = sums.get(name) ?? 0n;
    if (BigInt(usd_micros) !== expected) throw new Error(`worth of ${name}: ledger ${usd_micros}, model ${expected}`);
    sums.delete(name);
  }
  const [missing] = [...sums].find(([, worth]) => worth !== 0n) ?? [];
  if (missing !== undefined) throw new Error(`The worth of ${missing} is in no sum.`);
}

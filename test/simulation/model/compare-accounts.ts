import { fromWeiText } from '../../../core/store/wei.ts';
import type { AccountRow, ObservedLedger } from '../service/observed-ledger.ts';
import { countIn, type LedgerModel, type ModelLimit, worthIn } from './ledger-model.ts';

type Compared = { readonly model: LedgerModel; readonly observed: ObservedLedger; readonly usdMicrosPerCoin: bigint };

/** What the limits and budgets in force have counted is what the holds of their windows come to. */
export function compareAccounts({ model, observed, usdMicrosPerCoin }: Compared): void {
  const accounts = accountsByNumber(observed.accounts());
  for (const { owner, scope, limit_id } of observed.limitNumbers()) {
    const limit = model.limits.get(owner)?.find((one) => scopeOf(one) === scope);
    if (limit === undefined) throw new Error(`The limit ${limit_id} of ${owner} has a number and is not set: ${scope}`);
    for (const { whose, start, count, amount } of accounts.get(limit_id) ?? []) {
      const kept = limit.unit === 'operations' ? BigInt(count) : amount;
      const place = { sender: whose as `0x${string}`, countedAt: start };
      const added = countIn(model.holds, limit, place, usdMicrosPerCoin);
      if (kept !== added)
        throw new Error(`limit ${scope} of ${owner} ${whose} ${start}: kept ${kept}, added up ${added}`);
    }
  }
  for (const budget of observed.budgets()) {
    for (const { start, amount } of accounts.get(budget.limit_id) ?? []) {
      const added = worthIn(model.holds, budget, start, usdMicrosPerCoin);
      if (amount !== added) throw new Error(`budget ${budget.name} ${start}: kept ${amount}, added up ${added}`);
    }
  }
}

function scopeOf({ per, window, unit }: ModelLimit): string {
  return `${per} ${window} ${unit} `;
}

type Account = { readonly whose: string; readonly start: number; readonly count: number; readonly amount: bigint };

function accountsByNumber(rows: readonly AccountRow[]): ReadonlyMap<number, readonly Account[]> {
  const accounts = new Map<number, Account[]>();
  for (const { name, count, amount } of rows) {
    const [kind, number, whose = '', start] = name.split('/');
    if (kind !== 'limit') continue;
    const account = { whose, start: Number(start), count, amount: fromWeiText(amount) };
    accounts.set(Number(number), [...(accounts.get(Number(number)) ?? []), account]);
  }
  return accounts;
}

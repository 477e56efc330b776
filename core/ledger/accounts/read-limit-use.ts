import type { Kysely } from 'kysely';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { accountsNamed, toLedgerAccounts } from './ledger-accounts.ts';
import { type CountKey, inUnit, limitAccount } from './limit-accounts.ts';
import { numbersOf, ownerOfKey, ownerOfPolicy, toLimitNumbers } from './limit-numbers.ts';

/** How much of each limit is used for a hold made at `now` (Unix seconds), in the limit's unit and in the order given. */
export async function readLimitUse(
  db: Kysely<Database>,
  limits: readonly CountedLimit[],
  { hold, now }: { readonly hold: CountKey; readonly now: number },
): Promise<readonly bigint[]> {
  const owners = [ownerOfPolicy(hold), ownerOfKey(hold.paymasterId, hold.keyNumber)];
  const [numberRows] = await runTogether(db, numbersOf(owners));
  const numbers = toLimitNumbers(numberRows);
  const names = limits.map((limit) => limitAccount(limit, hold, { numbers, now }).name);
  const [rows] = await runTogether(db, accountsNamed([...new Set(names)]));
  const accounts = toLedgerAccounts(rows, names);
  return limits.map((limit, index) => inUnit(limit, accounts.of(names[index] ?? '')));
}

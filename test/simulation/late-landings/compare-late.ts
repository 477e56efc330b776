import type { PolicyLimit } from '../../../core/domain/policy.ts';
import { secondsPerDay } from '../../../core/domain/utc-days.ts';
import { windowEnd, windowStart } from '../../../core/policies/limit-window.ts';
import type { Store } from '../../../core/store/store.ts';
import { fromWeiText } from '../../../core/store/wei.ts';
import { numberedAddress, readTank, tankOf } from '../../support/core/ledger-lab.ts';
import { countIn, type LateHold, type LateModel } from './late-model.ts';

/** How long the account of a window is kept after it, in seconds. */
const keptSeconds = 2 * secondsPerDay;

/** Compares holds, tank and limits with the model. Throws with a sentence about the first that differs. */
export async function compareLate(store: Store, model: LateModel, now: number): Promise<void> {
  const rows = await store.db.selectFrom('holds').select(['state', 'amount', 'charge']).orderBy('hold_id').execute();
  mustEqual('the number of holds', rows.length, model.holds.length);
  for (const [index, { state, amount, charge }] of rows.entries()) {
    const hold = model.holds[index];
    mustEqual(`state of hold ${index + 1}`, state, hold?.state);
    mustEqual(`amount of hold ${index + 1}`, fromWeiText(amount), hold?.amount);
    mustEqual(`charge of hold ${index + 1}`, charge === null ? undefined : fromWeiText(charge), hold?.charge);
  }
  const tank = await readTank(store, tankOf(1));
  const live = model.holds.filter(({ state }) => state === 'live');
  mustEqual('held', tank?.held, sum(live.map(({ amount }) => amount)));
  mustEqual('settled', tank?.settled, sum(model.holds.map(({ charge = 0n }) => charge)));
  await compareLimits(store, model, now);
}

async function compareLimits(store: Store, { limits, holds }: LateModel, now: number): Promise<void> {
  const numbers = await store.db.selectFrom('limit_numbers').selectAll().execute();
  const accounts = await store.db.selectFrom('ledger_accounts').selectAll().execute();
  const byName = new Map(accounts.map((row) => [row.name, row]));
  for (const limit of limits) {
    const number = numbers.find(({ scope }) => scope === `${limit.per} ${limit.window} ${limit.unit} `)?.limit_id;
    for (const hold of holds) {
      const row = byName.get(`limit/${number}/${accountOf(limit, hold)}`);
      const added = countIn(holds, limit, hold);
      const what = `limit ${limit.per} ${limit.window} ${limit.unit} with hold ${hold.number}`;
      if (row !== undefined)
        mustEqual(what, limit.unit === 'operations' ? BigInt(row.count) : fromWeiText(row.amount), added);
      else if (hold.state !== 'released' && isKept(limit, hold, now)) throw new Error(`${what} has no account.`);
    }
  }
}

function accountOf({ per, window }: PolicyLimit, { sender, countedAt }: LateHold): string {
  return `${per === 'sender' ? numberedAddress(sender) : ''}/${windowStart(window, countedAt)}`;
}

function isKept({ window }: PolicyLimit, { countedAt }: LateHold, now: number): boolean {
  return (windowEnd(window, windowStart(window, countedAt)) ?? now) + keptSeconds >= now;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function mustEqual<T>(what: string, inLedger: T, inModel: T): void {
  if (inLedger !== inModel) throw new Error(`${what}: ledger ${inLedger}, model ${inModel}`);
}

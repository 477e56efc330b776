import { z } from 'zod';
import { fromWeiText } from '../../../core/store/wei.ts';
import type { DecisionRow, ObservedLedger } from '../service/observed-ledger.ts';

const hour = 3_600;
const day = 24 * hour;
const recordSchema = z.object({
  facts: z.object({ calls: z.array(z.object({ target: z.string(), selector: z.string().optional() })) }),
});

/** What the sums of usage are must be what the decisions and their holds come to. Throws with the first that is not. */
export function compareUsageSums(observed: ObservedLedger): void {
  const expected = new Map<string, string>();
  const counts = new Map<string, { signed: number; landed: number; charge: bigint; priced: number; usd: number }>();
  const holds = new Map(observed.holds().map((hold) => [hold.hold_id, hold]));
  const decisions = observed.decisions();
  const bearing = findBearing(observed);
  for (const decision of decisions) {
    const hold = bearing.get(decision.hold_id) === decision.decision_number ? holds.get(decision.hold_id) : undefined;
    const settled = hold?.state === 'settled' ? hold : undefined;
    for (const key of keysOf(decision)) {
      const sum = counts.get(key) ?? { signed: 0, landed: 0, charge: 0n, priced: 0, usd: 0 };
      sum.signed += 1;
      if (settled !== undefined) {
        sum.landed += 1;
        sum.charge += fromWeiText(settled.charge ?? '0');
        sum.priced += settled.charge_usd === null ? 0 : 1;
        sum.usd += settled.charge_usd ?? 0;
      }
      counts.set(key, sum);
    }
  }
  for (const [key, { signed, landed, charge, priced, usd }] of counts) {
    expected.set(key, `${signed} signed, ${landed} landed for ${charge} wei, ${priced} for ${usd}`);
  }
  for (const row of observed.usageSums()) {
    const key = [row.paymaster_id, row.dimension, row.day, row.key].join(' ');
    const { signed, landed, charge, priced, usd_micros: usd } = row;
    const kept = `${signed} signed, ${landed} landed for ${fromWeiText(charge)} wei, ${priced} for ${usd}`;
    if (kept !== expected.get(key)) throw new Error(`usage of ${key}: kept ${kept}, added up ${expected.get(key)}`);
    expected.delete(key);
  }
  for (const [key, sums] of expected) throw new Error(`usage of ${key}: kept nothing, added up ${sums}`);
}

/** The decision that bears the cost of each hold: the last one when it was settled, by the service's clock; else the first. */
function findBearing(observed: ObservedLedger): ReadonlyMap<number, number> {
  const settledAt = new Map<number, number>();
  for (const { kind, hold_id, reverses, created_at } of observed.entriesAfter(0)) {
    if (kind === 'settle' && hold_id !== null && reverses === null) settledAt.set(hold_id, created_at);
  }
  const bearing = new Map<number, number>();
  for (const { hold_id, decision_number, created_at } of observed.decisions()) {
    if (!bearing.has(hold_id) || created_at <= (settledAt.get(hold_id) ?? 0)) bearing.set(hold_id, decision_number);
  }
  return bearing;
}

function keysOf({
  paymaster_id,
  created_at,
  method,
  sender,
  token,
  key_number,
  record,
}: DecisionRow): readonly string[] {
  const { calls } = recordSchema.parse(JSON.parse(record)).facts;
  const keys: readonly (readonly [string, readonly string[]])[] = [
    ['sender', [sender]],
    ['contract', calls.map(({ target }) => target)],
    ['method', calls.map(({ target, selector }) => `${target}:${selector ?? '0x'}`)],
  ];
  const today = created_at - (created_at % day);
  return [
    `${paymaster_id} day ${today} `,
    `${paymaster_id} hour ${today} ${created_at - (created_at % hour)}`,
    `${paymaster_id} via ${today} ${method === 'relayUserOperation' ? 'relay' : 'paymaster'}`,
    `${paymaster_id} token ${today} ${token ?? 'none'}`,
    `${paymaster_id} apiKey ${today} ${key_number}`,
    ...keys.flatMap(([dimension, all]) =>
      [...new Set(all)].map((key) => `${paymaster_id} ${dimension} ${today} ${key}`),
    ),
  ];
}

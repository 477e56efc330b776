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
    const ofCost = costKeysOf(decision, settled?.charge_usd ?? null);
    for (const key of [...keysOf(decision), ...ofCost]) {
      const sum = counts.get(key) ?? { signed: 0, landed: 0, charge: 0n, priced: 0, usd: 0 };
      // Rows of costs count operations alone.
      sum.signed += ofCost.includes(key) ? 0 : 1;
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
    // A cost whose operations have left the chain.
    if (row.dimension === 'cost' && kept === '0 signed, 0 landed for 0 wei, 0 for 0' && !expected.has(key)) continue;
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

/** The row of costs up to the one whose two first digits are those of a cost, or the next ones where it has more. */
function costKeysOf({ paymaster_id, created_at }: DecisionRow, usdMicros: number | null): readonly string[] {
  if (usdMicros === null) return [];
  const [, two = '', rest = ''] = /^(\d\d?)(\d*)$/.exec(String(usdMicros)) ?? [];
  const digits = String(Number(two) + (/[1-9]/.test(rest) ? 1 : 0));
  return [`${paymaster_id} cost ${created_at - (created_at % day)} ${digits}${'0'.repeat(rest.length)}`];
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
  const methods = calls.map(({ target, selector }) => `${target}:${selector ?? '0x'}`);
  const isRelayed = method === 'relayUserOperation';
  const keys: readonly (readonly [string, readonly string[]])[] = [
    ['sender', [sender]],
    ['contract', calls.map(({ target }) => target)],
    ['method', methods],
    ['relayedMethod', isRelayed ? methods : []],
  ];
  const today = created_at - (created_at % day);
  return [
    `${paymaster_id} day ${today} `,
    `${paymaster_id} hour ${today} ${created_at - (created_at % hour)}`,
    `${paymaster_id} via ${today} ${isRelayed ? 'relay' : 'paymaster'}`,
    `${paymaster_id} token ${today} ${token ?? 'none'}`,
    `${paymaster_id} apiKey ${today} ${key_number}`,
    ...keys.flatMap(([dimension, all]) =>
      [...new Set(all)].map((key) => `${paymaster_id} ${dimension} ${today} ${key}`),
    ),
  ];
}

import { type Kysely, sql } from 'kysely';
import { maxBigint } from '../base/values/integers.ts';
import { worthUsdMicros } from '../policies/worth-usd.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';
import { decodeDecisionRecord, type RecordColumns } from './decision-record.ts';

/** Most refusals that are read: unpacking one takes about 0.3 ms. */
const maxRead = 1_000;
/** Decisions among which they are searched, from the newest on. */
const newestDecisions = 100_000;

/** The newest refusals by limits since a time in Unix seconds, with the caps that their policies have now. */
export function selectLimitRefusals(db: Kysely<Database>, since: number) {
  const { policyField } = dialectOf(db);
  const policy = sql`coalesce(${sql.ref('named_policies.policy')}, ${sql.ref('policies.policy')})`;
  return db
    .selectFrom('decisions')
    .innerJoin('paymasters', 'paymasters.paymaster_id', 'decisions.paymaster_id')
    .leftJoin('named_policies', 'named_policies.policy_id', 'decisions.policy_id')
    .leftJoin('policies', 'policies.paymaster_id', 'decisions.paymaster_id')
    .select(['paymasters.paymaster_id', 'paymasters.name'])
    .select(['decisions.decision_id', 'decisions.policy_id', 'decisions.record', 'decisions.reasons'])
    .select([
      policyField(policy, 'maxCostWei').as('cap_wei'),
      policyField(policy, 'maxCostUsdMicros').as('cap_usd_micros'),
    ])
    .where('paymasters.retired_at', 'is', null)
    .where('decisions.outcome', '=', 'refused')
    .where('decisions.reason', '=', 'LIMIT_EXCEEDED')
    .where('decisions.created_at', '>=', since)
    .where('decisions.decision_number', '>', ({ selectFrom }) =>
      selectFrom('decisions as newest').select(({ eb, fn }) =>
        eb(fn.max('newest.decision_number'), '-', newestDecisions).as('after'),
      ),
    )
    .orderBy('decisions.decision_number', 'desc')
    .limit(maxRead);
}

type LimitRefusalRow = RecordColumns & {
  readonly paymaster_id: string;
  readonly name: string;
  readonly decision_id: string;
  readonly policy_id: string;
  readonly cap_wei: string | null;
  readonly cap_usd_micros: string | null;
};

/**
 * Requests that a policy's cap on the cost of one operation has refused and still refuses, with the most that one of them could
 * cost: in `wei` if the cap in wei is too low, in `usdMicros` (millionths of a USD) if that in USD is.
 */
export type CapRefusals = {
  readonly name: string;
  /** The named policy; empty for the default one. */
  readonly policyId: string;
  readonly count: number;
  readonly wei?: bigint;
  readonly usdMicros?: bigint;
};

/** Counts those rows of {@link selectLimitRefusals} that such a cap refused, by policy. */
export function countCapRefusals(rows: readonly LimitRefusalRow[]): readonly CapRefusals[] {
  const counts = new Map<string, CapRefusals>();
  for (const row of rows) {
    const { trace, facts } = decodeDecisionRecord(row, row.decision_id);
    if (trace.findLast(({ verdict }) => verdict === 'refused')?.rule !== 'policy-cost') continue;
    const { worstCase: wei = 0n, usdMicrosPerCoin = 0n } = facts ?? {};
    const usdMicros = worthUsdMicros(wei, usdMicrosPerCoin);
    const isAbove = (cost: bigint, cap: string | null) => cap !== null && cost > BigInt(cap);
    const above = {
      ...(isAbove(wei, row.cap_wei) ? { wei } : {}),
      ...(isAbove(usdMicros, row.cap_usd_micros) ? { usdMicros } : {}),
    };
    if (above.wei === undefined && above.usdMicros === undefined) continue;
    const key = `${row.paymaster_id} ${row.policy_id}`;
    counts.set(key, addRefusal(counts.get(key) ?? { name: row.name, policyId: row.policy_id, count: 0 }, above));
  }
  return [...counts.values()];
}

function addRefusal(known: CapRefusals, above: Pick<CapRefusals, 'wei' | 'usdMicros'>): CapRefusals {
  const highest = (unit: 'wei' | 'usdMicros') => {
    const most = maxBigint(known[unit] ?? 0n, above[unit] ?? 0n);
    return most === 0n ? {} : { [unit]: most };
  };
  return { ...known, count: known.count + 1, ...highest('wei'), ...highest('usdMicros') };
}

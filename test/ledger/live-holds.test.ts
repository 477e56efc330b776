import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { operationKeyOf } from '../../core/ledger/holds/hold-request.ts';
import { liveHoldsOf } from '../../core/ledger/holds/live-holds.ts';
import { depositEvent, holdRequest, post, tankOf } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const ledger = useLedger();

type Step = {
  readonly 'Relation Name'?: string | undefined;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number | undefined;
  readonly Plans?: readonly Step[] | undefined;
};
const StepSchema: z.ZodType<Step> = z.object({
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  get Plans() {
    return z.array(StepSchema).optional();
  },
});
const PlanSchema = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: StepSchema })]) })]);

/** Rows of a table that were looked at. */
function rowsOf(table: string, step: Step): number {
  const below = (step.Plans ?? []).map((one) => rowsOf(table, one)).reduce((sum, rows) => sum + rows, 0);
  if (step['Relation Name'] !== table) return below;
  return below + (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
}

test.skipIf(!isOnPostgres)(
  'with 500 open operations, a server that has never analysed its tables reads none but those that are asked for',
  async () => {
    const { store } = ledger;
    const requests = Array.from({ length: 500 }, (_, index) =>
      holdRequest({ tank: tankOf(1), amount: 1n, nonce: BigInt(index) }),
    );
    await post(store, [depositEvent(1, 1_000n)]);
    const queue = createHoldQueue(store, { now: () => 1_000 }, []);
    await Promise.all(requests.map((request) => queue.hold(request)));
    const asked = requests.slice(100, 103);

    const { sql, runs } = liveHoldsOf({ operationKeys: asked.map(operationKeyOf) }).for(store.db);
    const explained = CompiledQuery.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...(runs[0] ?? [])]);
    const [{ 'QUERY PLAN': plans }] = PlanSchema.parse((await store.db.executeQuery(explained)).rows);
    expect(rowsOf('holds', plans[0].Plan)).toBe(asked.length);
  },
);

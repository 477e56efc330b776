import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Store } from '../../store/store.ts';
import { gauge } from './gauge.ts';

/** How many accounts there are. */
export async function readAccounts({ db }: Store): Promise<Metric> {
  const row = await db
    .selectFrom('accounts')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn.count<number>(eb.case().when('suspended_at', 'is not', null).then(1).end()).as('suspended'),
      fn
        .count<number>(
          eb
            .case()
            .when(eb.and([eb('suspended_at', 'is', null), eb('invited', '=', 1)]))
            .then(1)
            .end(),
        )
        .as('invited'),
    ])
    .executeTakeFirstOrThrow();
  const [all, suspended, invited] = [Number(row.all), Number(row.suspended), Number(row.invited)];
  return gauge(coreMetrics.accounts, [
    { labels: { state: 'active' }, value: all - suspended - invited },
    { labels: { state: 'invited' }, value: invited },
    { labels: { state: 'suspended' }, value: suspended },
  ]);
}

import { useQuery } from '@tanstack/react-query';
import type { UsageItem } from '@tollfree/contract/usage';
import { live } from '../../api/live.ts';
import { usageQuery } from '../../api/of-paymaster.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { lastDays } from '../../parts/text/days.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { slotOf, UsageCharts } from './usage-charts.tsx';

const hours = 24;

/** The last 24 hours. */
export function HourCharts() {
  const query = useQuery({
    ...usageQuery(usePaymaster(), { by: 'hour', ...lastDays(2) }),
    refetchInterval: live(),
  });
  return (
    <Loaded query={query}>
      {(rows) => <UsageCharts title="The last 24 hours" slots={slotsOf(rows, Date.now())} />}
    </Loaded>
  );
}

/** Each hour up to a moment (milliseconds), oldest first, without gaps. */
function slotsOf(rows: readonly UsageItem[], now: number) {
  const known = new Map(rows.map((row) => [Date.parse(row.key), row]));
  const last = now - (now % 3_600_000);
  return Array.from({ length: hours }, (_, index) => {
    const hour = last - (hours - 1 - index) * 3_600_000;
    const label = new Date(hour).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
    return slotOf(label, known.get(hour));
  });
}

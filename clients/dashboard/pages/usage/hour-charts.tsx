import { useQuery } from '@tanstack/react-query';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { live } from '../../api/live.ts';
import { lastDayQuery } from '../../api/of-paymaster.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usdOfWei } from '../../parts/text/usd-text.ts';
import { usePrice } from '../../parts/worth.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { type Slot, UsageCharts } from './usage-charts.tsx';

const hours = 24;

/** The last 24 hours, from the requests themselves. */
export function HourCharts() {
  const paymaster = usePaymaster();
  const price = usePrice(paymaster);
  const query = useQuery({ ...lastDayQuery(paymaster), refetchInterval: live() });
  return (
    <Loaded query={query}>
      {({ decisions, isCut }) => (
        <>
          {isCut ? <Notice>There are more requests than this page reads: older hours lack some.</Notice> : null}
          <UsageCharts title="The last 24 hours" slots={slotsOf(decisions, price, Date.now())} />
        </>
      )}
    </Loaded>
  );
}

/** Each hour up to a moment (milliseconds), the oldest first. */
function slotsOf(decisions: readonly DecisionItem[], price: string | undefined, now: number): readonly Slot[] {
  const last = Math.floor(now / 3_600_000);
  return Array.from({ length: hours }, (_, index) => {
    const hour = last - (hours - 1 - index);
    const some = decisions.filter(({ decidedAt }) => Math.floor(decidedAt / 3_600) === hour);
    const settled = some.filter(({ settlement }) => settlement?.state === 'settled');
    return {
      label: new Date(hour * 3_600_000).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false }),
      signed: some.filter(({ outcome }) => outcome === 'signed').length,
      refused: some.filter(({ outcome }) => outcome === 'refused').length,
      landed: settled.length,
      usd: settled.reduce((sum, { settlement, facts }) => {
        const at = facts?.usdMicrosPerCoin ?? price;
        return at === undefined ? sum : sum + Number(usdOfWei(settlement?.charge ?? '0', at));
      }, 0),
    };
  });
}

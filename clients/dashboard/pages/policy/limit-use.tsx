import { useQuery } from '@tanstack/react-query';
import type { LimitUseNowItem, PolicyItem } from '@tollfree/contract/policy';
import { policyUseQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Moment } from '../../parts/moment.tsx';
import { amountOfCoin } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { coinText, usdText } from '../../parts/text/usd-text.ts';
import { Short } from '../../parts/value.tsx';
import { identityOf } from './merge-policies.ts';

/** The use of each saved limit now, by what makes it the same limit. */
export type LimitUses = ReadonlyMap<string, LimitUseNowItem>;

/** Reads how full the limits of a policy are: the default one, or a named one. Undefined while it is read. */
export function useLimitUses(policyId: string | undefined, { limits }: Pick<PolicyItem, 'limits'>) {
  const { data, error } = useQuery({ ...policyUseQuery(usePaymaster(), policyId), enabled: limits.length > 0 });
  if (data === undefined && error === null) return undefined;
  const uses: LimitUses = new Map((data ?? []).map((use) => [identityOf(limits[use.limit]), use]));
  return uses;
}

type SavedLimit = Readonly<Record<string, unknown>>;

/** How much of a saved limit is used in its window, by all together or by who used most. */
export function LimitUse({ limit, use }: { readonly limit: SavedLimit; readonly use: LimitUseNowItem }) {
  const { chainId } = usePaymaster();
  const { used, sender, until } = use;
  if (used === undefined) return 'Too many senders have used it to say who used most.';
  const textOf = (amount: unknown) => {
    const text = String(amount);
    if (limit.unit === 'USD') return usdText(text);
    if (limit.unit === 'WEI') return amountOfCoin(coinText(text), chainId);
    return counted(Number(text), limit.contract === undefined ? 'operation' : 'call');
  };
  const isOfAll = limit.per === 'TOTAL';
  return (
    <>
      {isOfAll ? null : 'Most: '}
      {textOf(used)} of {textOf(limit.max)} used
      {sender === undefined ? null : (
        <>
          {' '}
          by <Short hex={sender} />
        </>
      )}
      {until === undefined ? null : (
        <>
          , begins again <Moment at={until} />
        </>
      )}
      .
    </>
  );
}

/** As high as the use of a limit that is being read. It says when the limit begins again, which takes a line on a phone. */
export function UnknownUse({ limit }: { readonly limit: SavedLimit }) {
  const ends = limit.window === 'EVER' ? {} : { until: sampleEnd };
  return (
    <span className="placeholder" aria-hidden="true">
      <LimitUse limit={limit} use={{ limit: 0, used: '0', ...ends }} />
    </span>
  );
}

/** The text of other moments is about as long. In Unix seconds. */
const sampleEnd = Date.UTC(2026, 10, 28) / 1_000;

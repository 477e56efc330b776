import { useQuery } from '@tanstack/react-query';
import type { PolicyItem } from '@tollfree/contract/policy';
import { dailyLimit, suggestDailyUsd } from '@tollfree/contract/suggested-limit';
import { formatGwei } from 'viem';
import { budgetsQuery } from '../../api/of-account.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { amountOfCoin } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { coinText, usdText } from '../../parts/text/usd-text.ts';
import { withinWindow } from './field-names.ts';
import type { PolicyDraft } from './policy-draft.ts';
import { recentCostsQuery } from './recent-costs-query.ts';

type BoundsProps = { readonly draft: PolicyDraft; readonly onChange: (draft: PolicyDraft) => void };

type Bound = {
  readonly title: string;
  readonly value: string;
  readonly text: string;
  /** Nothing needs to be set where another bound is enough. */
  readonly state: 'set' | 'open' | 'missing';
};

/** What bounds the spending of a caller who only knows the URL, and a limit for all together in one click. */
export function Bounds({ draft, onChange }: BoundsProps) {
  const { paymasterId, chainId } = usePaymaster();
  const { data: costs, error } = useQuery(recentCostsQuery(usePaymaster()));
  const { data: budgets = [] } = useQuery(budgetsQuery);
  const limits = limitsOf(draft);
  const total = limits.find(({ per, contract }) => per === 'TOTAL' && contract === undefined);
  const hasBudget = budgets.some(({ paymasterIds }) => paymasterIds?.includes(paymasterId) ?? true);
  const daily = suggestDailyUsd(costs?.highestDayUsd);
  const bounds: readonly Bound[] = [
    {
      title: 'All together',
      value: total === undefined ? (hasBudget ? 'The account’s budget' : 'No limit') : limitText(total, chainId),
      text:
        total === undefined && !hasBudget
          ? `Strangers can spend the whole gas tank.${busiestDay(costs?.highestDayUsd)}`
          : 'Whatever happens, it never spends more.',
      state: total === undefined && !hasBudget ? 'missing' : 'set',
    },
    capBound(draft, chainId, costs?.highestUsd),
    senderBound(limits, chainId),
    {
      title: 'Gas price',
      value: gweiText(draft.maxFeePerGas),
      text: 'Above it, nothing is sponsored. The cap on one operation bounds it too.',
      state: draft.maxFeePerGas === undefined ? 'open' : 'set',
    },
  ];
  const missing = bounds.filter(({ state }) => state === 'missing').length;
  return (
    <section className="card flush" aria-labelledby="bounds">
      <div className="card-head">
        <div>
          <h2 id="bounds">What a stranger could spend</h2>
          <p className="card-lead">
            Your URL is public as soon as a browser has it. These bounds decide what it can cost.
          </p>
        </div>
        {missing === 0 ? null : <Badge kind="warn">{`${counted(missing, 'bound')} missing`}</Badge>}
      </div>
      <ul className={costs === undefined && error === null ? 'bounds placeholder' : 'bounds'}>
        {bounds.map(({ title, value, text, state }, index) => (
          <li key={title} className={state === 'missing' ? 'missing' : undefined}>
            <span className="small">
              {state === 'set' ? <Icon name="check" /> : null}
              {title}
            </span>
            <strong>{value}</strong>
            <span className="small muted">{text}</span>
            {state === 'missing' && index === 0 ? (
              <Button
                needs={['manage']}
                onPress={() => onChange({ ...draft, limits: [...limitsIn(draft), dailyLimit(daily)] })}
              >
                Set {usdText(daily)} a day
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Limit = PolicyItem['limits'][number];

function limitsIn({ limits }: PolicyDraft): readonly unknown[] {
  return Array.isArray(limits) ? limits : [];
}

/** The limits of a draft that have a maximum. */
function limitsOf(draft: PolicyDraft): readonly Limit[] {
  return limitsIn(draft).filter((limit): limit is Limit => /^\d+(\.\d+)?$/.test(String((limit as Partial<Limit>).max)));
}

function limitText({ unit, max, window }: Limit, chainId: number): string {
  const amount = { OPERATIONS: counted(Number(max), 'operation'), USD: usdText(max), WEI: '' }[unit];
  return `${amount === '' ? amountOfCoin(coinText(max), chainId) : amount} ${withinWindow[window].replace('in a', 'a')}`;
}

function busiestDay(usd: number | undefined): string {
  return usd === undefined
    ? ' Nothing was spent in the last week.'
    : ` Your busiest day of the last week cost ${usdText(usd.toFixed(6))}.`;
}

function capBound({ maxCostPerOperation }: PolicyDraft, chainId: number, highestUsd: number | undefined): Bound {
  const { wei, usd } = (maxCostPerOperation ?? {}) as { readonly wei?: string; readonly usd?: string };
  const caps = [
    ...(usd === undefined || !/^\d+(\.\d+)?$/.test(usd) ? [] : [usdText(usd)]),
    ...(wei === undefined || !/^\d+$/.test(wei) ? [] : [amountOfCoin(coinText(wei), chainId)]),
  ];
  const seen =
    highestUsd === undefined
      ? ' In the last week there was no operation.'
      : ` In the last week one could cost up to ${usdText(highestUsd.toFixed(6))}.`;
  return {
    title: 'One operation',
    value: caps.length === 0 ? 'No cap' : caps.join(' and '),
    text: `Its worst case, which is held until it lands.${seen}`,
    state: caps.length === 0 ? 'missing' : 'set',
  };
}

function senderBound(limits: readonly Limit[], chainId: number): Bound {
  const ofUser = limits.find(({ per }) => per === 'SUBJECT');
  const limit = ofUser ?? limits.find(({ per }) => per === 'SENDER');
  return {
    title: ofUser === undefined ? 'Each sender' : 'Each user of a ticket',
    value: limit === undefined ? 'No limit' : limitText(limit, chainId),
    text:
      ofUser === undefined
        ? 'It keeps honest users within bounds. It stops no stranger, who makes new senders for free.'
        : 'It bounds what one login can spend. A person with several logins has it several times.',
    state: limit === undefined ? 'open' : 'set',
  };
}

function gweiText(maxFeePerGas: unknown): string {
  return typeof maxFeePerGas === 'string' && /^\d+$/.test(maxFeePerGas)
    ? `${formatGwei(BigInt(maxFeePerGas))} gwei`
    : 'Any';
}

import { Link } from '@tanstack/react-router';
import type { BudgetItem } from '@tollfree/contract/budget';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ReactNode } from 'react';
import type { DocLinkName } from '../../parts/doc-links.ts';
import { reasonText } from '../../parts/text/chain-name.ts';
import { daysLeftText } from '../../parts/text/days.ts';
import { momentText } from '../../parts/text/moment-text.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { LimitDayButton } from './limit-day-button.tsx';
import { refusalRate, sumDays, totalOf } from './sum-usage.ts';
import { type PaymasterOverview, shownDays } from './use-overview.ts';

/** A matter that needs attention. */
export type Matter = {
  readonly key: string;
  /** The paymasters whose policies lack a recommended limit. Absent: it is about something else. */
  readonly unbounded?: readonly string[];
  /** Urgent ones stop operations now. */
  readonly isUrgent: boolean;
  readonly title: string;
  readonly text: string;
  /** What the documents say of it. */
  readonly doc?: DocLinkName;
  /** The button that does something about it. */
  readonly action: ReactNode;
  /** The paymasters that the matter concerns, if there are several: each by name, with its own button. */
  readonly each?: readonly { readonly paymaster: PaymasterItem; readonly action: ReactNode }[];
};

/** What stops operations or will soon, urgent matters first. */
export function listMatters(rows: readonly PaymasterOverview[], budgets: readonly BudgetItem[]): readonly Matter[] {
  return [
    ...rows.flatMap(tankMatters),
    ...budgets.flatMap(budgetMatters),
    ...rows.flatMap(refusalMatters),
    ...rows.flatMap(webhookMatters),
    ...rows.flatMap(pauseMatters),
    ...limitMatters(rows),
  ].sort((one, other) => Number(other.isUrgent) - Number(one.isUrgent));
}

type PageOf = 'activity' | 'gas-tank' | 'settings' | 'webhooks';

function toPage({ paymasterId }: PaymasterItem, page: PageOf, text: string, kind = ''): ReactNode {
  return (
    <Link to={`/paymasters/$paymasterId/${page}`} params={{ paymasterId }} className={`button ${kind}`}>
      {text}
    </Link>
  );
}

/** Fewer days left than this are a warning. */
const enoughDays = 7;

function tankMatters({ paymaster, tank }: PaymasterOverview): readonly Matter[] {
  // A tank that was never filled is a step of the setup.
  if (tank === undefined || tank.funded === '0') return [];
  const { name } = paymaster;
  if (tank.available === '0') {
    return [
      {
        key: `empty ${paymaster.paymasterId}`,
        isUrgent: true,
        title: `The gas tank of ${name} is empty`,
        text: 'Nothing is sponsored until it is filled.',
        doc: 'emptyTank',
        action: toPage(paymaster, 'gas-tank', 'Fill the tank', 'primary'),
      },
    ];
  }
  if (tank.daysLeft === undefined || tank.daysLeft >= enoughDays) return [];
  return [
    {
      key: `low ${paymaster.paymasterId}`,
      isUrgent: false,
      title: `The gas tank of ${name} lasts ${daysLeftText(tank.daysLeft)}`,
      text: 'At the pace of the last 7 days.',
      doc: 'emptyTank',
      action: toPage(paymaster, 'gas-tank', 'Fill the tank'),
    },
  ];
}

function budgetMatters({ budgetId, name, usedUsd, maxUsd, until }: BudgetItem): readonly Matter[] {
  if (Number(usedUsd) < Number(maxUsd)) return [];
  const begins = until === undefined ? 'It never begins again.' : `It begins again on ${momentText(until)}.`;
  return [
    {
      key: `budget ${budgetId}`,
      isUrgent: true,
      title: `The budget “${name}” is used up`,
      text: `${usdText(usedUsd)} of ${usdText(maxUsd)}. Its paymasters sponsor nothing. ${begins}`,
      doc: 'budgets',
      action: (
        <Link to="/budgets" className="button primary">
          Raise the budget
        </Link>
      ),
    },
  ];
}

/** A share of refusals that is worth a line: of at least so many requests, and so many times the usual one. */
const unusual = { requests: 5, share: 0.15, times: 3 } as const;

function refusalMatters({ paymaster, days, refusals }: PaymasterOverview): readonly Matter[] {
  const sums = sumDays([days], shownDays, Date.now());
  const today = totalOf(sums.slice(-1));
  const before = totalOf(sums.slice(0, -1));
  const shareOf = ({ signed, refused }: typeof today) => (signed + refused === 0 ? 0 : refused / (signed + refused));
  const isUnusual = shareOf(today) > unusual.share && shareOf(today) >= unusual.times * shareOf(before);
  if (today.signed + today.refused < unusual.requests || !isUnusual) return [];
  const usual = before.signed + before.refused === 0 ? '' : `; before, it was ${refusalRate(before)}`;
  const top = topOfToday(refusals);
  const refusedToday = refusals.reduce((sum, each) => sum + each.today, 0);
  return [
    {
      key: `refused ${paymaster.paymasterId}`,
      isUrgent: true,
      title: `${refusalRate(today)} of today’s requests to ${paymaster.name} were refused${usual}`,
      text: top === undefined ? '' : `${top.today} of ${refusedToday}: ${reasonText(top.reason).toLowerCase()}.`,
      action: (
        <Link
          to="/paymasters/$paymasterId/activity"
          params={{ paymasterId: paymaster.paymasterId }}
          search={top === undefined ? { status: 'refused' } : { reason: top.reason }}
          className="button primary"
        >
          Show why
        </Link>
      ),
    },
  ];
}

/** Of refusals, those of today's most common reason. */
function topOfToday(refusals: PaymasterOverview['refusals']): PaymasterOverview['refusals'][number] | undefined {
  return refusals.toSorted((one, other) => other.today - one.today).find(({ today }) => today > 0);
}

/** Refused because a webhook did not answer. */
const webhookReason = 'WEBHOOK_UNAVAILABLE';

function webhookMatters({ paymaster, refusals }: PaymasterOverview): readonly Matter[] {
  const { today = 0 } = refusals.find(({ reason }) => reason === webhookReason) ?? {};
  if (today === 0) return [];
  return [
    {
      key: `webhook ${paymaster.paymasterId}`,
      isUrgent: false,
      title: `A webhook of ${paymaster.name} did not answer`,
      text: `${today} ${today === 1 ? 'request was' : 'requests were'} refused today because of it.`,
      doc: 'webhookOutage',
      action: toPage(paymaster, 'webhooks', 'Show its answers'),
    },
  ];
}

function pauseMatters({ paymaster }: PaymasterOverview): readonly Matter[] {
  if (paymaster.pausedAt === undefined) return [];
  return [
    {
      key: `paused ${paymaster.paymasterId}`,
      isUrgent: true,
      title: `${paymaster.name} is paused`,
      text: 'It refuses every request until you resume it.',
      doc: 'pause',
      action: toPage(paymaster, 'settings', 'Resume it'),
    },
  ];
}

/** Paymasters that no limit bounds, in one matter. */
function limitMatters(rows: readonly PaymasterOverview[]): readonly Matter[] {
  const unbounded = rows.filter(({ bounded, tank }) => !bounded && tank !== undefined && tank.available !== '0');
  if (unbounded.length === 0) return [];
  return [
    {
      key: 'limit',
      unbounded: unbounded.map(({ paymaster }) => paymaster.paymasterId),
      isUrgent: false,
      title: 'Strangers can spend the whole gas tank',
      text: 'No limit and no budget bounds what all senders spend together.',
      doc: 'limits',
      action: null,
      each: unbounded.map(({ paymaster, suggestedDailyUsd }) => ({
        paymaster,
        action: suggestedDailyUsd && <LimitDayButton paymaster={paymaster} dailyUsd={suggestedDailyUsd} />,
      })),
    },
  ];
}

import type { PolicyItem } from '@tollfree/contract/policy';
import { dailyLimit, roundAbove, suggestDailyUsd } from '@tollfree/contract/suggested-limit';
import { counted } from '../../parts/text/counted.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import type { PolicyDraft } from './policy-draft.ts';
import type { RecentCosts } from './recent-costs.ts';

/** The fields that templates set. A template that lacks one of them leaves it at its default. */
type TemplateFields = Partial<
  Pick<
    PolicyItem,
    | 'sponsorAllCalls'
    | 'allowAccountDeployment'
    | 'accounts'
    | 'requireTicket'
    | 'maxCostPerOperation'
    | 'limits'
    | 'thenPayInToken'
  >
>;

const templateFields: readonly (keyof TemplateFields)[] = [
  'sponsorAllCalls',
  'allowAccountDeployment',
  'accounts',
  'requireTicket',
  'maxCostPerOperation',
  'limits',
  'thenPayInToken',
];

type PolicyTemplate = { readonly name: string; readonly text: string; readonly fields: TemplateFields };

/** A draft with the fields of a template instead of those of an earlier one. Other fields stay. */
export function withTemplate(draft: PolicyDraft, fields: TemplateFields): PolicyDraft {
  const others = Object.entries(draft).filter(([name]) => !templateFields.some((each) => each === name));
  const set = templateFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]] as const]));
  return Object.fromEntries([...others, ...set]);
}

const limit = (
  per: PolicyItem['limits'][number]['per'],
  window: PolicyItem['limits'][number]['window'],
  unit: PolicyItem['limits'][number]['unit'],
  max: string,
) => ({ per, window, unit, max });

/** Before there are any operations: in USD of one and of a week, and numbers of operations of a sender. */
const usual = { cap: 0.5, week: 250, inDay: 10, ofUser: 20, inCampaign: 3 } as const;

/** Templates for most applications, with amounts that the operations of the last week would have passed. */
export function policyTemplates(costs: RecentCosts = {}): readonly PolicyTemplate[] {
  const cap = amountAbove(costs.highestUsd, usual.cap);
  const day = suggestDailyUsd(costs.highestDayUsd);
  const week = amountAbove(costs.weekUsd, usual.week);
  const inDay = countAbove(costs.mostOfSenderInDay, usual.inDay);
  const inCampaign = countAbove(costs.mostOfSender, usual.inCampaign);
  const ofUser = countAbove(costs.mostOfSenderInDay, usual.ofUser);
  return [
    {
      name: 'Careful start',
      text: `${counted(Number(inDay), 'operation')} per sender and day, ${usdText(cap)} each, ${usdText(day)} a day in all.${reasonOf(costs)}`,
      fields: {
        maxCostPerOperation: { usd: cap },
        limits: [limit('SENDER', 'DAY', 'OPERATIONS', inDay), dailyLimit(day)],
      },
    },
    {
      name: 'Campaign',
      text: `${counted(Number(inCampaign), 'operation')} per sender, account deployment included, ${usdText(week)} a week in all.`,
      fields: {
        allowAccountDeployment: true,
        limits: [limit('SENDER', 'EVER', 'OPERATIONS', inCampaign), limit('TOTAL', 'WEEK', 'USD', week)],
      },
    },
    {
      // Nothing is refused after them, so the number does not follow the last week.
      name: 'A few for free, then a token',
      text: `3 operations per sender and ${usdText(day)} a day in all, after that users pay in a token.`,
      fields: {
        limits: [limit('SENDER', 'EVER', 'OPERATIONS', '3'), dailyLimit(day)],
        thenPayInToken: true,
      },
    },
    {
      name: 'Signed-in users only',
      text: `Every request needs a ticket; ${counted(Number(ofUser), 'operation')} per user and ${usdText(day)} in all a day.`,
      fields: {
        requireTicket: true,
        limits: [limit('SUBJECT', 'DAY', 'OPERATIONS', ofUser), dailyLimit(day)],
      },
    },
    {
      name: 'Everything, for tests',
      text: 'Any contract and any account, without limits. Only for test networks.',
      fields: { sponsorAllCalls: true, accounts: 'ANY', allowAccountDeployment: true },
    },
  ];
}

function reasonOf({ highestUsd }: RecentCosts): string {
  if (highestUsd === undefined) return '';
  return ` In the last week one operation could cost up to ${usdText(highestUsd.toFixed(6))}.`;
}

function amountAbove(highest: number | undefined, least: number): string {
  return roundAbove(highest ?? 0, least).toFixed(2);
}

function countAbove(highest: number | undefined, least: number): string {
  return String(Math.ceil(roundAbove(highest ?? 0, least)));
}

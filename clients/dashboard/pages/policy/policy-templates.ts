import type { PolicyItem } from '@tollfree/contract/policy';
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

/** In USD: of one operation, and of a day, before there are any operations. */
const usualCap = 0.5;
const usualDay = 50;

/** Templates for most applications, with caps that the operations of the last week would have passed. */
export function policyTemplates(costs: RecentCosts | undefined): readonly PolicyTemplate[] {
  const cap = capAbove(costs?.highestUsd, usualCap);
  const day = capAbove(costs?.highestDayUsd, usualDay);
  return [
    {
      name: 'Careful start',
      text: `10 operations per sender and day, ${usdText(cap)} each, ${usdText(day)} a day in all.${reasonOf(costs)}`,
      fields: {
        maxCostPerOperation: { usd: cap },
        limits: [limit('SENDER', 'DAY', 'OPERATIONS', '10'), limit('TOTAL', 'DAY', 'USD', day)],
      },
    },
    {
      name: 'Campaign',
      text: '3 operations per sender, account deployment included, $250 a week in all.',
      fields: {
        allowAccountDeployment: true,
        limits: [limit('SENDER', 'EVER', 'OPERATIONS', '3'), limit('TOTAL', 'WEEK', 'USD', '250')],
      },
    },
    {
      name: 'A few for free, then a token',
      text: '3 operations per sender, after that users pay in a token.',
      fields: { limits: [limit('SENDER', 'EVER', 'OPERATIONS', '3')], thenPayInToken: true },
    },
    {
      name: 'Signed-in users only',
      text: 'Every request needs a ticket; 20 operations per user and day.',
      fields: { requireTicket: true, limits: [limit('SUBJECT', 'DAY', 'OPERATIONS', '20')] },
    },
    {
      name: 'Everything, for tests',
      text: 'Any contract and any account, without limits. Only for test networks.',
      fields: { sponsorAllCalls: true, accounts: 'ANY', allowAccountDeployment: true },
    },
  ];
}

function reasonOf(costs: RecentCosts | undefined): string {
  if (costs?.highestUsd === undefined) return '';
  return ` In the last week one operation could cost up to ${usdText(costs.highestUsd.toFixed(6))}.`;
}

/** The next round amount above half more than the highest one seen, at least the usual cap. */
function capAbove(highest: number | undefined, usual: number): string {
  const wanted = (highest ?? 0) * 1.5;
  if (wanted <= usual) return usual.toFixed(2);
  const step = 10 ** Math.floor(Math.log10(wanted));
  const round = [1, 2, 5, 10].map((times) => times * step).find((amount) => amount >= wanted) ?? wanted;
  return round.toFixed(2);
}

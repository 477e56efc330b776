import type { PolicyItem } from '@tollfree/contract/policy';

type PolicyTemplate = {
  readonly name: string;
  readonly text: string;
  /** The fields that it sets; all others stay unchanged. */
  readonly fields: Partial<PolicyItem>;
};

const limit = (
  per: PolicyItem['limits'][number]['per'],
  window: PolicyItem['limits'][number]['window'],
  unit: PolicyItem['limits'][number]['unit'],
  max: string,
) => ({ per, window, unit, max });

/** Templates for most applications. */
export const policyTemplates: readonly PolicyTemplate[] = [
  {
    name: 'Careful start',
    text: '10 operations per sender and day, 0.50 USD each, 50 USD a day in all.',
    fields: {
      maxCostPerOperation: { usd: '0.50' },
      limits: [limit('SENDER', 'DAY', 'OPERATIONS', '10'), limit('TOTAL', 'DAY', 'USD', '50')],
    },
  },
  {
    name: 'Campaign',
    text: '3 operations per sender, account deployment included, 250 USD a week in all.',
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
    text: 'Any contract and any account. Only for test networks.',
    fields: { sponsorAllCalls: true, accounts: 'ANY', allowAccountDeployment: true },
  },
];

import { expect, test } from 'vitest';
import { type Known, listGoals } from '../../clients/dashboard/shell/command/list-goals.ts';

const paymaster = { paymasterId: 'one', name: 'loyalty', chainId: 8453, apiKey: '', version: '2.0.0' } as const;
const known: Known = {
  current: paymaster,
  paymasters: [paymaster, { ...paymaster, paymasterId: 'two', name: 'checkout' }],
  contracts: [
    {
      address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      name: 'LoyaltyCard',
      abi: '[]',
      methods: ['claim'],
      whitelistedMethods: ['claim(uint256)'],
    },
  ],
  policies: [],
  docs: [{ title: 'Tickets', href: '/docs/tickets', about: 'sponsor only users of your own login' }],
  isOperator: false,
};

const first = (text: string) => listGoals(text, known)[0]?.text;

test.each([
  ['stop', 'Pause loyalty'],
  ['emergency', 'Pause loyalty'],
  ['pause', 'Pause loyalty'],
  ['top up', 'Fill the gas tank'],
  ['deposit', 'Fill the gas tank'],
  ['payout', 'Withdraw from the gas tank'],
  ['withdraw', 'Withdraw from the gas tank'],
  ['invoice', 'Statement'],
  ['csv', 'Usage'],
  ['analytics', 'Usage'],
  ['whitelist', 'Sponsor a contract or method'],
  ['abi', 'Sponsor a contract or method'],
  ['colleague', 'Invite a member'],
  ['invite', 'Invite a member'],
  ['slack', 'Send notifications to a chat'],
  ['callback', 'Ask my server before each operation'],
  ['webhook', 'Webhooks'],
  ['ban', 'Block a sender'],
  ['daily', 'Limit what all spend together'],
  ['quota', 'Limit each sender'],
  ['leaked', 'New API key'],
  ['rejected', 'See why something was refused'],
  ['endpoint', 'Copy the RPC URL and a program'],
  ['simulate', 'Playground'],
  ['who', 'Audit log'],
  ['usa', 'Usage'],
  ['checkout', 'checkout'],
  ['loyaltyc', 'LoyaltyCard'],
  ['claim', 'LoyaltyCard'],
])('“%s” finds “%s” first', (text, expected) => {
  expect(first(text)).toBe(expected);
});

test('whatever is not found here is searched for in the documentation', () => {
  const goals = listGoals('zksync prices', known);
  expect(goals.map(({ target }) => target)).toEqual([{ href: '/docs/search?q=zksync%20prices' }]);
});

test('without a paymaster nothing leads to one', () => {
  const goals = listGoals('', { ...known, current: undefined, paymasters: [], contracts: [] });
  expect(goals.filter(({ target }) => 'to' in target && target.to.includes('$paymasterId'))).toEqual([]);
  expect(goals.map(({ text }) => text)).toContain('New paymaster');
});

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
  mayManage: true,
};

const first = (text: string) => listGoals(text, known)[0]?.text;

test.each([
  ['stop', 'Pause loyalty'],
  ['emergency', 'Pause loyalty'],
  ['pause', 'Pause loyalty'],
  ['pause all', 'Pause all 2 paymasters'],
  ['everything', 'Pause all 2 paymasters'],
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

test.each([
  ['withdarw', 'Withdraw from the gas tank'],
  ['witdraw', 'Withdraw from the gas tank'],
  ['invitte', 'Invite a member'],
  ['statment', 'Statement'],
  ['notifcation', 'Send notifications to a chat'],
  ['puase', 'Pause loyalty'],
  ['gas tenk', 'Fill the gas tank'],
  ['loyaltycrad', 'LoyaltyCard'],
])('“%s”, with a typo, finds “%s” first', (text, expected) => {
  expect(first(text)).toBe(expected);
});

test('a short word with a typo finds nothing here', () => {
  const names = listGoals('zkp', known).map(({ group }) => group);
  expect(names).toEqual(['Documentation']);
});

test('a paused paymaster is offered to be resumed, a retired one neither', () => {
  const textsOf = (current: Known['current']) =>
    listGoals('', { ...known, current, paymasters: current === undefined ? [] : [current] }).map(({ text }) => text);
  expect(textsOf({ ...paymaster, pausedAt: 1_764_000_000 })).toContain('Resume loyalty');
  expect(textsOf({ ...paymaster, retiredAt: 1_764_000_000 }).join()).not.toMatch(/Pause|Resume/);
});

test('who may not change anything is led to the page, which says why', () => {
  const [goal] = listGoals('pause', { ...known, mayManage: false });
  expect(goal?.target).toEqual({ to: '/paymasters/$paymasterId/settings', params: { paymasterId: 'one' } });
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

import type { TankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { expect, test } from 'vitest';
import { costOfAll, type DaySum, totalOf } from '../../clients/dashboard/pages/overview/sum-usage.ts';
import { inCents } from '../../clients/dashboard/pages/statement/in-cents.ts';
import { matrixOf, paidOf, partsOf, usdOfMicros } from '../../clients/dashboard/pages/statement/statement-matrix.ts';
import { usdText } from '../../clients/dashboard/parts/text/usd-text.ts';

const nothing = { wei: '0', usd: '0.000000', unpriced: 0 };

function tank(payer: 'CONTRACT' | 'RELAY', spent: string, usersPaid = '0.000000'): TankStatementItem {
  return {
    payer,
    fundingWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    opening: '0',
    deposited: nothing,
    withdrawn: nothing,
    credited: nothing,
    debited: nothing,
    spent: { ...nothing, wei: '5', usd: spent },
    premium: nothing,
    usersPaid: { ...nothing, usd: usersPaid, wei: '2' },
    closing: '-5',
    operations: 1,
    atBlock: 1,
    elsewhere: { wei: '0', operations: 0 },
  };
}

/** USD as the page shows it, in cents. */
const shownCents = (micros: bigint) => Number(usdText(usdOfMicros(micros)).replace(/[$.,]/g, ''));
const sum = (cents: readonly number[]) => cents.reduce((all, each) => all + each, 0);

const names = { first: 'first', last: 'last', tokens: 'devUSD' };
const statements = [
  { tanks: [tank('CONTRACT', '7.226000'), tank('RELAY', '0.496000')] },
  { tanks: [tank('CONTRACT', '7.224999'), tank('RELAY', '0.504999', '0.334900')] },
  { tanks: [tank('CONTRACT', '10.005000', '3.334000')], vendor: { operations: 2, worstCaseUsd: '0.335000' } },
];

test.each(statements)('the parts of a month that are shown add up to the sum that is shown (%#)', (exact) => {
  const statement = inCents(exact);
  const { you, users } = paidOf(statement);
  const parts = partsOf(statement, names.tokens).map(({ by, usdMicros }) => ({ by, cents: shownCents(usdMicros) }));
  const own = parts.filter(({ by }) => by !== 'users').map(({ cents }) => cents);
  expect(sum(own)).toBe(shownCents(you));
  // The sums are those of other pages.
  expect([you, users].map(shownCents)).toEqual([paidOf(exact).you, paidOf(exact).users].map(shownCents));
  const { together, ...payers } =
    matrixOf(statement, names).rows.find(({ title }) => title === 'Operations')?.amounts ?? {};
  const shown = Object.values(payers).map(({ usdMicros = 0n }) => shownCents(-usdMicros));
  expect(shown.length).toBeGreaterThan(0);
  expect(sum(shown)).toBe(shownCents(-(together?.usdMicros ?? 0n)));
  expect(sum(shown)).toBe(shownCents(you) + shownCents(users));
});

test('an amount below a cent is not rounded away', () => {
  const statement = inCents({ tanks: [tank('CONTRACT', '0.004200'), tank('RELAY', '0.004100')] });
  expect(usdText(usdOfMicros(paidOf(statement).you))).toBe('$0.0083');
});

test('what paymasters cost together is the sum of what their rows show', () => {
  const day = (own: number, users: number): readonly DaySum[] => [
    { day: '2026-11-30', own, users, landed: 1, signed: 1, refused: 0, unpriced: 0 },
  ];
  // Exactly $9.7147, shown as $9.71.
  const paymasters = [day(7.7249, 0.344_9), day(1.4949, 0.334_9), day(0.4949, 0)];
  const shown = (usd: number) => Number(usdText(usd.toFixed(6)).slice(1));
  const { own, users } = costOfAll(paymasters);
  expect(paymasters.map((days) => shown(totalOf(days).own))).toEqual([7.72, 1.49, 0.49]);
  expect([own, users].map(shown)).toEqual([9.7, 0.67]);
});

test.each([
  ['0.285', '$0.29'],
  ['1.005', '$1.01'],
  ['0.284999', '$0.28'],
  ['9.995', '$10.00'],
])('half a cent of %s is rounded up', (usd, text) => {
  expect(usdText(usd)).toBe(text);
});

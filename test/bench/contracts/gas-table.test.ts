import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureRows, readRows } from './gas-table.ts';
import { type OverheadLab, openOverheadLab } from './overhead-lab.ts';

let lab: OverheadLab;
let rows: Awaited<ReturnType<typeof measureRows>>;
beforeAll(async () => {
  lab = await openOverheadLab();
  rows = await measureRows(lab);
}, 180_000);
afterAll(() => lab?.close());

/**
 * By how much the gas of a row may differ: addresses and signatures have other zero bytes once the chain deploys another contract
 * before them.
 */
const tolerance = 100;

test('the page about performance has the gas that the bench measures (npm run bench:contracts -- --write)', () => {
  const written = readRows();
  expect(written.map(([family]) => family)).toEqual(rows.map(([family]) => family));
  for (const [at, row] of rows.entries()) {
    for (const [column, measured] of row.entries()) {
      const text = written[at]?.[column];
      const isNear = Math.abs(gasOf(text) - gasOf(measured)) <= tolerance;
      expect(text === measured || isNear, `${row[0]}: ${text} is written, ${measured} measured`).toBe(true);
    }
  }
});

/** The most gas that Tollfree's own contract may add to a call. */
const most = { sponsored: 15_000, token: 46_000 };

test('the contract that is deployed adds at most 15,000 gas to a sponsored call and 46,000 to a paid one', () => {
  const own = rows.filter(([family = '']) => family.startsWith('tollfree-'));
  expect(own).toHaveLength(2);
  for (const [family, , sponsored, token] of own) {
    expect(gasOf(sponsored), family).toBeLessThanOrEqual(most.sponsored);
    expect(gasOf(token), family).toBeLessThanOrEqual(most.token);
  }
});

function gasOf(text = ''): number {
  return Number(text.replaceAll(',', ''));
}

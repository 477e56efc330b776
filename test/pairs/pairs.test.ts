import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { openPairsLab, type PairsLab, type Way, ways } from './pairs-lab.ts';
import { type Row, rows } from './pairs-rows.ts';

// Each feature with each way that a request can take. A new feature is a row here, a new payer a column.

let lab: PairsLab;
beforeAll(async () => {
  lab = await openPairsLab();
});
afterAll(() => lab?.close());

/** Half of the ways of a row in `npm test`, the other half of the next row; all in a long run. */
const waysOf = ({ cells }: Row, nth: number) =>
  ways.filter((way) => cells[way] !== undefined).filter((_, at) => isLongRun || (at + nth) % 2 === 0);

describe.each(rows.map((row, nth) => ({ ...row, tried: waysOf(row, nth) })))('$title', ({ observe, cells, tried }) => {
  test.each(tried)('%s', async (way: Way) => {
    const cell = cells[way];
    if (cell === undefined) throw new Error('There is no cell.');
    const { right, today } = typeof cell === 'string' ? { right: cell, today: undefined } : cell;
    const seen = await observe(lab, way);
    if (today === undefined) return expect(seen).toBe(right);
    // Known to be wrong. Once it is right, the cell keeps `right` alone.
    expect(seen).not.toBe(right);
    expect(seen).toBe(today);
  });
});

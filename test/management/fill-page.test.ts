import { expect, test } from 'vitest';
import { maxAbiBytes } from '../../contract/limits.ts';
import { fillPage } from '../../core/management/fill-page.ts';

const rows = (...sizes: readonly number[]) => sizes.map((bytes, at) => ({ at, bytes }));

test('a page ends with the item that fills it, and has the next one to ask for', () => {
  const { page, next } = fillPage(rows(10, maxAbiBytes, 10));
  expect([page.map(({ at }) => at), next?.at]).toEqual([[0, 1], 1]);
});

test('what fits in one page has none after it, however large its only item is', () => {
  expect(fillPage(rows(10, 20)).next).toBeUndefined();
  expect(fillPage(rows(100 * maxAbiBytes))).toEqual({ page: rows(100 * maxAbiBytes) });
  expect(fillPage([])).toEqual({ page: [] });
});

test('many items without long texts have pages too', () => {
  expect(fillPage(rows(...Array(100_000).fill(0))).page.length).toBeLessThan(1_000);
});

import { expect, test } from 'vitest';
import { createOneTimeCode } from '../../server/dev/dev-pages.ts';

test('is good once, for five minutes, and until there is another', () => {
  let now = 0;
  const codes = createOneTimeCode({ now: () => now });
  expect(codes.take('')).toBe(false);
  const first = codes.issue();
  const second = codes.issue();
  expect(codes.take(first)).toBe(false);
  now = 5 * 60_000 - 1;
  expect(codes.take(second)).toBe(true);
  expect(codes.take(second)).toBe(false);
  const late = codes.issue();
  now += 5 * 60_000;
  expect(codes.take(late)).toBe(false);
});

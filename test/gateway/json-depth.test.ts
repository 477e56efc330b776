import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findExcess } from '../../gateway/http/json-body.ts';

function jsonDepthExceeds(text: Buffer, maxDepth: number): boolean {
  return findExcess(text, { maxDepth, maxValues: Number.POSITIVE_INFINITY }) === 'depth';
}

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

test('the depth of JSON text is that of the value it stands for', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = Buffer.from(JSON.stringify(value));
      expect(jsonDepthExceeds(text, depthOf(value))).toBe(false);
      expect(jsonDepthExceeds(text, depthOf(value) - 1)).toBe(depthOf(value) > 0);
    }),
    { numRuns: 500 },
  );
});

test('brackets and quotes inside strings do not count', () => {
  for (const value of ['[[[[', '"[[[[', '\\', '\\"[[[', '[\\\\"{{']) {
    expect(jsonDepthExceeds(Buffer.from(JSON.stringify({ [value]: value })), 1)).toBe(false);
  }
});

test('text that is no JSON is scanned to its end', () => {
  expect(jsonDepthExceeds(Buffer.from('"[[[['), 1)).toBe(false);
  expect(jsonDepthExceeds(Buffer.from(']]]][['), 1)).toBe(false);
  expect(jsonDepthExceeds(Buffer.from('[['), 1)).toBe(true);
});

test('no JSON text has fewer values than are counted, and one more than allowed is found', () => {
  const countOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, one) => sum + countOf(one), 1)
      : 1;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = Buffer.from(JSON.stringify(value));
      const counted = countOf(value);
      expect(findExcess(text, { maxDepth: 32, maxValues: 2 * counted })).toBeUndefined();
      if (counted > 1) expect(findExcess(text, { maxDepth: 32, maxValues: Math.floor(counted / 2) })).toBe('values');
    }),
    { numRuns: 500 },
  );
});

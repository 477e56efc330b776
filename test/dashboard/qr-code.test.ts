import { expect, test } from 'vitest';
import { encodeQr } from '../../clients/dashboard/parts/qr/encode-qr.ts';

/** Reads a code of version 5 as ISO/IEC 18004 describes it, for codes of level M only. */
function readQr(rows: readonly (readonly boolean[])[]): string {
  const size = rows.length;
  expect(size).toBe(37);
  const isDark = (row: number, column: number) => rows[row]?.[column] === true;
  const places = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => [8, column] as const);
  const format = [...places, ...[7, 5, 4, 3, 2, 1, 0].map((row) => [row, 8] as const)]
    .map(([row, column]) => (isDark(row, column) ? 1 : 0))
    .join('');
  // Level M is 00, the mask is 000, and the check bits of zeros are the constant that all formats are masked with.
  expect(format).toBe('101010000010010');
  const isData = (row: number, column: number) => {
    const isFinder = (row < 9 && (column < 9 || column > size - 9)) || (row > size - 9 && column < 9);
    const isAlignment = Math.abs(row - 30) < 3 && Math.abs(column - 30) < 3;
    return !isFinder && !isAlignment && row !== 6 && column !== 6;
  };
  const bits: number[] = [];
  let isUp = true;
  for (const right of [36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 5, 3, 1]) {
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (isData(row, column)) bits.push(isDark(row, column) !== ((row + column) % 2 === 0) ? 1 : 0);
      }
    }
    isUp = !isUp;
  }
  const bytes = Array.from({ length: 134 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((value, bit) => value * 2 + bit, 0),
  );
  const blocks = [0, 1].map((block) => bytes.filter((_, index) => index % 2 === block));
  for (const block of blocks) expectCodeWord(block);
  const data = blocks.flatMap((block) => block.slice(0, 43));
  const half = data.flatMap((each) => [each >> 4, each & 15]);
  expect(half[0]).toBe(4);
  const length = (half[1] ?? 0) * 16 + (half[2] ?? 0);
  const text = Array.from({ length }, (_, index) => (half[3 + 2 * index] ?? 0) * 16 + (half[4 + 2 * index] ?? 0));
  return new TextDecoder().decode(Uint8Array.from(text));
}

/** A block is right if the polynomial of its bytes is zero at 2⁰ to 2²³. */
function expectCodeWord(block: readonly number[]): void {
  const double = (value: number) => (value < 128 ? value * 2 : (value * 2) ^ 0x11d);
  const times = (one: number, other: number): number => {
    if (other === 0) return 0;
    return (other % 2 === 1 ? one : 0) ^ times(double(one), other >> 1);
  };
  for (let root = 1, power = 0; power < 24; root = double(root), power += 1) {
    expect(block.reduce((sum, each) => times(sum, root) ^ each, 0)).toBe(0);
  }
}

test.each(['ethereum:0xC6C676D70FE10F347b858881764a7827CB1fcCb0@8453', '', 'ü', 'x'.repeat(84)])(
  'a reader finds “%s” in its code',
  (text) => {
    expect(readQr(encodeQr(text) ?? [])).toBe(text);
  },
);

test('a text that does not fit has no code', () => {
  expect(encodeQr('x'.repeat(85))).toBeUndefined();
});

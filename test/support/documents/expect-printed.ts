import { expect } from 'vitest';
import type { Fence } from '../../../tools/prose/read-fences.ts';

/** What differs from run to run: apiKeys, ids, hashes, addresses, ports, times, blocks and amounts. */
const changing: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b[\w-]{9}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<apiKey>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>'],
  [/\b0x[0-9a-fA-F]{64}\b/g, '<hash>'],
  [/\b0x[0-9a-fA-F]{40}\b/g, '<address>'],
  [/\b127\.0\.0\.1:\d+/g, '<host>'],
  [/\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>'],
  [/\bblock \d+/g, 'block <number>'],
  [/\$\d+\.\d+|\b\d+(?:\.\d+)?(?= (?:ether|wei|USD|devUSD|ms|MB)\b)|(?<=at most )\d+\.\d+/g, '<amount>'],
  // Columns are as wide as their values.
  [/ +/g, ' '],
];

function linesOf(text: string): readonly string[] {
  return changing.reduce((left, [pattern, name]) => left.replaceAll(pattern, name), text.trimEnd()).split('\n');
}

/**
 * Checks the block that a page shows below a command against what the command printed: each line of the block is one of the output,
 * in the same order. The page may leave lines out. What differs from run to run is not compared.
 */
export function expectPrinted(page: string, { code, line }: Fence, printed: string): void {
  let left = linesOf(printed);
  const missing = linesOf(code).filter((shown) => {
    const at = left.indexOf(shown);
    left = left.slice(at + 1);
    return at === -1;
  });
  expect(missing, `${page}:${line} shows what is not printed. Printed is:\n${printed}`).toEqual([]);
}

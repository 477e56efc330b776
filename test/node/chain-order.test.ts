import { expect, test } from 'vitest';
import { inChainOrder } from '../../core/node/event-range.ts';

test('events are in the order of their blocks, and in that of their logs within one', () => {
  const at = (blockNumber: bigint, logIndex: number) => ({ blockNumber, txHash: '0x' as const, logIndex });
  const ordered = [at(9n, 7), at(9n, 8), at(10n, 1), at(11n, 0)];
  expect(ordered.toReversed().sort(inChainOrder)).toEqual(ordered);
  expect([...ordered].sort(inChainOrder)).toEqual(ordered);
});

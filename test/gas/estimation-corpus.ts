import type { Hex } from 'viem';
import type { DevCall } from '../../clients/cli/dev/user-operation/build-user-operation.ts';
import { type OperationOutcome, OperationRefused } from '../../clients/cli/dev/user-operation/entry-point.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { type Case, type EstimationBench, land, puzzleCall } from './estimation-bench.ts';

function bytes(count: number, byte: string): Hex {
  return `0x${byte.repeat(count)}`;
}

/** What the accounts of the tests call: each entry is hard to estimate in its own way. */
export const corpus: readonly [name: string, calls: (bench: EstimationBench) => DevCall[]][] = [
  ['a plain call', (bench) => [puzzleCall(bench, 'store', ['0x'])]],
  ['a batch', (bench) => [puzzleCall(bench, 'store', ['0x']), puzzleCall(bench, 'fill', [3n])]],
  ['two million gas of fresh storage', (bench) => [puzzleCall(bench, 'fill', [90n])]],
  ['seven million gas of fresh storage', (bench) => [puzzleCall(bench, 'fill', [300n])]],
  ['a call ten levels deep', (bench) => [puzzleCall(bench, 'dive', [10n, 10n])]],
  ['a call thirty levels deep', (bench) => [puzzleCall(bench, 'dive', [30n, 30n])]],
  ['a call that wants more gas left than it burns', (bench) => [puzzleCall(bench, 'wantGas', [400_000n])]],
  ['a call that gets a refund', (bench) => [puzzleCall(bench, 'fill', [40n]), puzzleCall(bench, 'clear', [40n])]],
  ['ten thousand bytes of data', (bench) => [puzzleCall(bench, 'store', [bytes(10_000, 'ab')])]],
  ['forty thousand zero bytes', (bench) => [puzzleCall(bench, 'store', [bytes(40_000, '00')])]],
  [
    'much data and much storage',
    (bench) => [puzzleCall(bench, 'store', [bytes(30_000, 'cd')]), puzzleCall(bench, 'fill', [80n])],
  ],
];

/** Lands with these limits and takes it back. `undefined` when the EntryPoint refuses the operation. */
export async function tryToLand(
  bench: EstimationBench,
  subject: Case,
  gas: GasLimits,
): Promise<OperationOutcome | undefined> {
  const id = await bench.devnet.client.snapshot();
  try {
    return await land(bench, subject, gas);
  } catch (error) {
    if (error instanceof OperationRefused) return undefined;
    throw error;
  } finally {
    await bench.devnet.client.revert({ id });
  }
}

/** The stated margin of 10 % taken off, and another 15 %. */
export function withoutMargins(limit: bigint): bigint {
  return (limit * 10_000n) / 11_000n - (limit * 15n) / 100n;
}

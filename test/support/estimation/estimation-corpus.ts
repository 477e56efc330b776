import { encodeFunctionData, type Hex, type Log, parseEventLogs } from 'viem';
import { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction';
import { simulateCalls } from 'viem/actions';
import { expect } from 'vitest';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { GasLimits } from '../../../core/domain/user-operation.ts';
import type { DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import { packUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import type { OperationOutcome } from '../../../server/dev/user-operation/entry-point.ts';
import { type Case, type EstimationBench, puzzleCall, signCase } from './estimation-bench.ts';

function bytes(count: number, byte: string): Hex {
  return `0x${byte.repeat(count)}`;
}

/** The one of the corpus that gets gas back after the EntryPoint has reckoned. */
export const refunded = 'a call that gets a refund';

/** What the accounts of the tests call: each entry is hard to estimate in its own way. */
export const corpus: readonly [name: string, calls: (bench: EstimationBench) => DevCall[]][] = [
  ['a plain call', (bench) => [puzzleCall(bench, 'store', ['0x'])]],
  ['a batch', (bench) => [puzzleCall(bench, 'store', ['0x']), puzzleCall(bench, 'fill', [3n])]],
  ['two million gas of fresh storage', (bench) => [puzzleCall(bench, 'fill', [90n])]],
  ['seven million gas of fresh storage', (bench) => [puzzleCall(bench, 'fill', [300n])]],
  ['a call ten levels deep', (bench) => [puzzleCall(bench, 'dive', [10n, 10n])]],
  ['a call thirty levels deep', (bench) => [puzzleCall(bench, 'dive', [30n, 30n])]],
  ['a call that wants more gas left than it burns', (bench) => [puzzleCall(bench, 'wantGas', [400_000n])]],
  [refunded, (bench) => [puzzleCall(bench, 'fill', [40n]), puzzleCall(bench, 'clear', [40n])]],
  ['ten thousand bytes of data', (bench) => [puzzleCall(bench, 'store', [bytes(10_000, 'ab')])]],
  ['forty thousand zero bytes', (bench) => [puzzleCall(bench, 'store', [bytes(40_000, '00')])]],
  [
    'much data and much storage',
    (bench) => [puzzleCall(bench, 'store', [bytes(30_000, 'cd')]), puzzleCall(bench, 'fill', [80n])],
  ],
];

/** What accounts call with their first operation. */
export const deployingCorpus = corpus.filter(([name]) =>
  ['a plain call', 'a batch', 'two million gas of fresh storage', 'ten thousand bytes of data'].includes(name),
);

/** What became of an operation: whether its call went through, and what the EntryPoint says that it reverted with. */
export type Trial = { readonly success: boolean; readonly revertText: string };

/** Tries the operation with these limits on the chain as it is, and changes nothing. `undefined` when it is refused. */
export async function tryToLand(bench: EstimationBench, subject: Case, gas: GasLimits): Promise<Trial | undefined> {
  const operation = await signCase(bench, subject, gas);
  const functionName = 'handleOps';
  const beneficiary = bench.bundler.address;
  const data =
    operation.entryPointVersion === '0.6'
      ? encodeFunctionData({ abi: entryPoint06Abi, functionName, args: [[operation], beneficiary] })
      : encodeFunctionData({ abi: entryPoint08Abi, functionName, args: [[packUserOperation(operation)], beneficiary] });
  const { results } = await simulateCalls(bench.devnet.client, {
    account: bench.bundler.address,
    calls: [{ to: subject.request.entryPoint, data }],
  });
  const [result] = results;
  return result?.status === 'success' ? readTrial(result.logs ?? []) : undefined;
}

/** Reads what an EntryPoint told of the one operation of a bundle. */
export function readTrial(logs: readonly Log[]): Trial {
  const events = parseEventLogs({ abi: entryPoint07Abi, logs: [...logs] });
  const handled = events.find(({ eventName }) => eventName === 'UserOperationEvent');
  if (handled?.eventName !== 'UserOperationEvent') throw new Error('The operation left no UserOperationEvent.');
  const reverted = events.find(({ eventName }) => eventName === 'UserOperationRevertReason');
  const reason = reverted?.eventName === 'UserOperationRevertReason' ? reverted.args.revertReason : '0x';
  return { success: handled.args.success, revertText: Buffer.from(reason.slice(2), 'hex').toString('latin1') };
}

/** Limits whose lack an operation shows on chain. `preVerificationGas` is the bundler's affair: `expectFairCharge`. */
export const provableLimits = [
  'callGasLimit',
  'verificationGasLimit',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const satisfies readonly (keyof GasLimits)[];
export type ProvableLimit = (typeof provableLimits)[number];

/** Gas that a limit has on purpose beyond need and margin. */
export type Reserves = Partial<Record<ProvableLimit, bigint>>;

/**
 * The operation succeeds with the limits. Then takes from one limit after the other the stated reserve, the stated margin
 * of 10 %, and another 15 %: it must not succeed any more. Limits of 0 or 1 are those the operation does not need.
 */
export async function expectTight(
  bench: EstimationBench,
  subject: Case,
  gas: GasLimits,
  limits: readonly ProvableLimit[] = provableLimits,
  reserves: Reserves = {},
): Promise<void> {
  expect(await tryToLand(bench, subject, gas)).toMatchObject({ success: true });
  for (const limit of limits.filter((name) => gas[name] > 1n)) {
    const outcome = await tryToLand(bench, subject, { ...gas, [limit]: withoutMargins(gas[limit], reserves[limit]) });
    expect(outcome?.success ?? false, limit).toBe(false);
  }
}

/** The stated reserve and margin of 10 % taken off, and another 15 %. */
export function withoutMargins(limit: bigint, reserve = 0n): bigint {
  const stated = limit - reserve;
  return (stated * 10_000n) / 11_000n - (stated * 15n) / 100n;
}

/**
 * The bundler, which pays the transaction, must not lose by taking the operation, and what it gets beyond that is at most
 * 15 % of `preVerificationGas`. From 0.7 on the EntryPoint also gives it a tenth of the gas that is not used.
 */
export function expectFairCharge(version: EntryPointVersion, gas: GasLimits, outcome: OperationOutcome): void {
  const { actualGasUsed, receipt } = outcome;
  expect(actualGasUsed).toBeGreaterThanOrEqual(receipt.gasUsed);
  const fine = version === '0.6' ? 0n : (gas.callGasLimit + gas.paymasterPostOpGasLimit) / 10n;
  expect(actualGasUsed - receipt.gasUsed - fine).toBeLessThanOrEqual((gas.preVerificationGas * 15n) / 100n);
}

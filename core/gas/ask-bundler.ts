import type { Eip7702MarkerForm, GasLimits } from '../domain/user-operation.ts';
import { toRpcOperation } from '../evm/entry-point/rpc-operation.ts';
import {
  createEndpoint,
  type QuestionNote,
  type Times,
  timedEndpoint,
  tracedEndpoint,
} from '../node/rpc/create-endpoint.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';
import { type GuardedLimit, guardedLimits } from './compare-limits.ts';
import type { EstimationRequest } from './estimator.ts';
import { findAaCode } from './failures/aa-codes.ts';
import { withEstimationSignature, withLimits } from './simulation/estimation-context.ts';

/** Longest wait for a bundler, in milliseconds: our own estimate is ready by then. */
export const maxBundlerWaitMs = 2_000;
/** JSON-RPC codes with which bundlers refuse an operation (ERC-7769): -32521 if its own call reverts. */
const refusesOperation = (code: number | undefined) =>
  code !== undefined && ((code <= -32500 && code >= -32510) || code === -32521);

/**
 * A bundler's answer about an operation's limits; the paymaster's own limits are not its concern. `refused`: it claims that
 * the operation fails. `useless`: the answer is invalid, and why.
 */
export type BundlerAnswer =
  | { readonly kind: 'limits'; readonly limits: BundlerLimits }
  | { readonly kind: 'refused' }
  | { readonly kind: 'useless'; readonly cause: unknown };
export type BundlerLimits = Pick<GasLimits, GuardedLimit>;

/** Asks a bundler for gas limits. Never rejects. */
type BundlerQuestion = (request: EstimationRequest) => Promise<BundlerAnswer>;

/** Asks with `eth_estimateUserOperationGas`. The operation carries the paymaster's stub. */
export function createBundlerQuestion(
  options: {
    readonly bundlerUrl: string;
    readonly callTimeoutMs: number;
    readonly eip7702Marker: Eip7702MarkerForm;
  },
  times: Times,
  noteTimes?: QuestionNote,
): BundlerQuestion {
  const waitMs = Math.min(options.callTimeoutMs, maxBundlerWaitMs);
  const plain = tracedEndpoint(createEndpoint(options.bundlerUrl, waitMs, times), 'bundler');
  const endpoint = noteTimes === undefined ? plain : timedEndpoint(plain, times.clock, noteTimes);
  return async (given) => {
    try {
      const request = { ...given, operation: withEstimationSignature(given.operation) };
      const simulated = withLimits(request, unknownLimits(request));
      const answer = await endpoint.ask({
        method: 'eth_estimateUserOperationGas',
        params: [toRpcOperation(simulated, options.eip7702Marker), request.entryPoint],
      });
      const limits = readLimits(answer);
      if (limits !== undefined) return { kind: 'limits', limits };
      return { kind: 'useless', cause: new Error('The bundler did not return gas limits.') };
    } catch (cause) {
      const said = readRpcAnswer(cause);
      const isJudgement = said !== undefined && (refusesOperation(said.code) || findAaCode(said.details) !== undefined);
      return isJudgement ? { kind: 'refused' } : { kind: 'useless', cause };
    }
  };
}

/** Limits to be estimated are 0: several bundlers fail if they are missing. */
function unknownLimits({ paymasterGas }: EstimationRequest): GasLimits {
  return {
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    paymasterVerificationGasLimit: paymasterGas.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: paymasterGas.paymasterPostOpGasLimit,
  };
}

function readLimits(answer: unknown): BundlerLimits | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const [callGasLimit, verificationGasLimit, preVerificationGas] = guardedLimits.map((name) =>
    readBundlerQuantity((answer as Record<string, unknown>)[name], maxBundlerLimit),
  );
  if (callGasLimit === undefined || verificationGasLimit === undefined || preVerificationGas === undefined) {
    return undefined;
  }
  return { callGasLimit, verificationGasLimit, preVerificationGas };
}

/** Highest limit accepted from a bundler: far above any block, far below an overflow of fee computations. */
export const maxBundlerLimit = 1n << 40n;

/** Digits that a number may have even if it needs fewer. */
const minDigits = 16;

/** A number in a bundler's answer: hex, decimal text or a JSON number. Undefined for anything else, or above `max`. */
export function readBundlerQuantity(value: unknown, max: bigint): bigint | undefined {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  const digits = Math.max(minDigits, max.toString().length);
  const isText = typeof value === 'string' && new RegExp(`^(0x[0-9a-fA-F]{1,${digits}}|\\d{1,${digits}})$`).test(value);
  if (!isNumber && !isText) return undefined;
  const quantity = BigInt(value);
  return quantity <= max ? quantity : undefined;
}

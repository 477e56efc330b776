import { BaseError, HttpRequestError, TimeoutError } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { readRpcAnswer } from './rpc/rpc-answer.ts';

/** JSON-RPC codes: unknown method, invalid params. Nodes without state overrides return one of them. */
const refusesParameters = new Set([-32601, -32602]);
const ranOutOfGas =
  /out of gas|gas required exceeds|intrinsic gas|gas too (low|high)|gas limit|execution (reverted|aborted|timeout)/i;
/** The last pattern: simulations pay from a balance that the state overrides give their sender. */
const knowsNoOverride =
  /override|too many arguments|expected (at most )?2|too many param|insufficient (funds|balance)/i;

export const overridesUnsupported: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The node does not support eth_call with state overrides, which gas estimation needs. Use another node.',
};

export const nodeGasExceeded: Refusal = {
  reason: 'ESTIMATION_FAILED',
  message: 'The operation needs more gas than the node simulates in one call.',
  field: 'callData',
};

/** Explains a failed call to a node. Never quotes the node or the library, whose text may contain its URL. */
export function explainNodeError(error: unknown): Refusal {
  const answer = readRpcAnswer(error);
  if (answer?.code !== undefined) {
    if (refusesParameters.has(answer.code) || knowsNoOverride.test(answer.details)) return overridesUnsupported;
    if (ranOutOfGas.test(answer.details)) {
      return nodeGasExceeded;
    }
  }
  return {
    reason: 'CHAIN_UNAVAILABLE',
    message: 'The chain could not be read. The node is down, slow or refuses to answer.',
  };
}

/** The node answered, but not the question. */
export const senselessAnswer: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The node returned an invalid response.',
};

/** How nodes say that a log query is too wide or has too many results (geth, erigon, nethermind, providers). */
const tooWide =
  /range|limit|too (many|large|wide|big)|exceed|more than|response size|query returned|timed? ?out|timeout|try with/i;

/** Whether a query for fewer blocks may succeed where this one did not. */
export function isRangeError(cause: unknown): boolean {
  if (!(cause instanceof BaseError)) return false;
  if (cause.walk((inner) => inner instanceof TimeoutError) !== null) return true;
  const answered = cause.walk((inner) => readRpcAnswer(inner) !== undefined || inner instanceof HttpRequestError);
  return answered instanceof BaseError && tooWide.test(answered.details);
}

/**
 * How nodes say that they no longer have the state of an old block (geth, erigon, nethermind, reth, providers, a resumed
 * anvil).
 */
const stateIsGone =
  /missing trie node|state .*(not|un)[- ]?available|state .*(pruned|missing)|historical state|archive|BlockOutOfRange/i;

/**
 * The answer to a question about an old block; undefined if the node no longer has its state, which a retry cannot change.
 * Rejects when the node does not answer.
 */
export async function ifStateIsThere<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question;
  } catch (cause) {
    const answered = cause instanceof BaseError ? cause.walk((inner) => readRpcAnswer(inner) !== undefined) : cause;
    if (stateIsGone.test(readRpcAnswer(answered)?.details ?? '')) return undefined;
    throw cause;
  }
}

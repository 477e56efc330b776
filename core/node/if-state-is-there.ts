import { BaseError } from 'viem';
import { readRpcAnswer } from './rpc/rpc-answer.ts';

/** How nodes say that they no longer keep the state of an old block (geth, erigon, nethermind, reth, providers, a resumed anvil). */
const stateIsGone =
  /missing trie node|state .*(not|un)[- ]?available|state .*(pruned|missing)|historical state|archive|BlockOutOfRange/i;

/**
 * The answer to a question about an old block; undefined when the node no longer keeps its state, which asking again
 * does not change. Rejects when the node does not answer.
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

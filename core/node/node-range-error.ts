import { BaseError, HttpRequestError, TimeoutError } from 'viem';
import { readRpcAnswer } from './rpc/rpc-answer.ts';

/** How nodes say that a question about logs is too wide, or has too many answers (geth, erigon, nethermind, providers). */
const tooWide =
  /range|limit|too (many|large|wide|big)|exceed|more than|response size|query returned|timed? ?out|timeout|try with/i;

/** Whether a question about fewer blocks may be answered where this one was not. */
export function isRangeError(cause: unknown): boolean {
  if (!(cause instanceof BaseError)) return false;
  if (cause.walk((inner) => inner instanceof TimeoutError) !== null) return true;
  const answered = cause.walk((inner) => readRpcAnswer(inner) !== undefined || inner instanceof HttpRequestError);
  return answered instanceof BaseError && tooWide.test(answered.details);
}

import { performance } from 'node:perf_hooks';
import type { LimitFunction } from 'p-limit';
import type { WebhookRequest } from './build-webhook-request.ts';
import { webhookLimits } from './webhook-limits.ts';

/**
 * Begins with a call and says at its end whether this process was too busy to notice an answer that was there. An answer that
 * comes while there is nothing else to do is read at once.
 */
export type WatchOwnLoad = (timeoutMs: number) => () => boolean;

/** By the share of the time that the event loop worked, and by how late the call's time limit was noticed. */
export const watchOwnLoad: WatchOwnLoad = (timeoutMs) => {
  const begunAt = performance.now();
  const begun = performance.eventLoopUtilization();
  return () => {
    const isLate = performance.now() - begunAt > timeoutMs + webhookLimits.lateMs;
    return isLate || performance.eventLoopUtilization(begun).utilization > webhookLimits.busyShare;
  };
};

/** How long a call may take, and what speaks against its failure being the other side's. */
export type CallTerms = {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** It is so long that it may fail for that. */
  readonly isLong: boolean;
  /** Whether time was lost here: it waited for its turn, or the process was busy. */
  lostTime(): boolean;
};

/** The terms of a call that is made now, which may have to wait for its turn. */
export function beginCall(
  { turns }: { readonly turns: Pick<LimitFunction, 'activeCount' | 'pendingCount'> },
  request: WebhookRequest,
  { timeoutMs, watchLoad }: { readonly timeoutMs: number; readonly watchLoad: WatchOwnLoad },
): CallTerms {
  // Anyone who asks much fills the turns: then time runs out before a call is made.
  const waits = turns.activeCount + turns.pendingCount >= webhookLimits.callsAtOnce;
  const wasBusy = watchLoad(timeoutMs);
  return {
    ...{ signal: AbortSignal.timeout(timeoutMs), timeoutMs },
    isLong: isLong(request),
    lostTime: () => waits || wasBusy(),
  };
}

function isLong({ body, path }: WebhookRequest): boolean {
  return (
    path.length > webhookLimits.surelyReadUrlLength || Buffer.byteLength(body ?? '') > webhookLimits.surelyReadBytes
  );
}

import { performance } from 'node:perf_hooks';
import type { LimitFunction } from 'p-limit';
import type { WebhookRequest } from './build-webhook-request.ts';
import { webhookLimits } from './webhook-limits.ts';

/**
 * Starts with a call; at its end, reports whether this process was too busy to notice an answer that had arrived. An idle
 * process reads an answer at once.
 */
export type WatchOwnLoad = (timeoutMs: number) => () => boolean;

/** Judges by the event loop's utilization, and by how late the call's time limit fired. */
export const watchOwnLoad: WatchOwnLoad = (timeoutMs) => {
  const begunAt = performance.now();
  const begun = performance.eventLoopUtilization();
  return () => {
    const isLate = performance.now() - begunAt > timeoutMs + webhookLimits.lateMs;
    return isLate || performance.eventLoopUtilization(begun).utilization > webhookLimits.busyShare;
  };
};

/** A call's time limit, and the facts that excuse the other side for a failure. */
export type CallTerms = {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The call is long enough to fail for its length. */
  readonly isLong: boolean;
  /** Whether time was lost on our side: waiting in the queue, or a busy process. */
  lostTime(): boolean;
};

/** The terms of a call that starts now and may have to wait in the queue. */
export function beginCall(
  { turns }: { readonly turns: Pick<LimitFunction, 'activeCount' | 'pendingCount'> },
  request: WebhookRequest,
  { timeoutMs, watchLoad }: { readonly timeoutMs: number; readonly watchLoad: WatchOwnLoad },
): CallTerms {
  // A caller with many requests fills the queue; then time runs out before a call is made.
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

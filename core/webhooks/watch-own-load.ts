import { performance } from 'node:perf_hooks';
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

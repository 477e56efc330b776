import type { LimitFunction } from 'p-limit';
import type { WebhookRequest } from './build-webhook-request.ts';
import type { WatchOwnLoad } from './watch-own-load.ts';
import { webhookLimits } from './webhook-limits.ts';

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

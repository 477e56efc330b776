import { createHash } from 'node:crypto';
import { calledKeyLength } from './called-key.ts';

/** No key of a contract begins so: those are digits of a digest. */
const prefix = 'webhook-';

/**
 * Under which key is counted what was sponsored without a webhook, where limits of contracts have theirs. A webhook that is
 * changed has another one, so that what was counted before counts no more.
 */
export function budgetKey(webhookId: string, era: number): string {
  const digest = createHash('sha256').update(JSON.stringify([webhookId, era]));
  return prefix + digest.digest('hex').slice(0, calledKeyLength - prefix.length);
}

/** Whether a key is of a webhook, whose budget counts whichever policy was chosen. */
export function isBudgetKey(called: string): boolean {
  return called.startsWith(prefix);
}

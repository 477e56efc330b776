import { createHash } from 'node:crypto';
import type { PolicyLimit } from '../../domain/policy.ts';

/** Characters of a {@link calledKey}: all have as many, so that the store can cut one off. */
export const calledKeyLength = 40;

type Named = Pick<PolicyLimit, 'contract' | 'method'> & { readonly webhook?: { readonly key: string } };

/** Limits are read once and asked about with each request. */
const known = new WeakMap<Named, string>();

/**
 * Under which key the calls are counted that a limit is about: those of one contract, or of one method as the limit names it.
 * Of a webhook's budget it is its own. Undefined for a limit on all operations.
 */
export function calledKey(limit: Named): string | undefined {
  const { contract, method = '', webhook } = limit;
  if (webhook !== undefined) return webhook.key;
  if (contract === undefined) return undefined;
  const kept = known.get(limit);
  if (kept !== undefined) return kept;
  const digest = createHash('sha256').update(JSON.stringify([contract.toLowerCase(), method]));
  const key = digest.digest('hex').slice(0, calledKeyLength);
  known.set(limit, key);
  return key;
}

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

/** Counts of calls of a contract or method are kept under a subject that begins so, with the key of `called-key.ts` behind it. */
export const calledPrefix = 'called:';
export const calledPrefixLength = calledPrefix.length + calledKeyLength + 1;

/** Whose count it is, and of which calls; of all operations without `called`. */
type Whose = { readonly subject: string; readonly called?: string };

/** How it stands in the store. */
export function storedSubject({ subject, called }: Whose): string {
  return called === undefined ? subject : `${calledPrefix}${called}:${subject}`;
}

/** The same read again. */
export function readSubject(stored: string): Whose {
  if (!stored.startsWith(calledPrefix)) return { subject: stored };
  const called = stored.slice(calledPrefix.length, calledPrefixLength - 1);
  return { subject: stored.slice(calledPrefixLength), called };
}

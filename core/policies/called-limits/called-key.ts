import { createHash } from 'node:crypto';
import type { PolicyLimit } from '../../domain/policy.ts';

/** Length of a {@link calledKey}, fixed so that the store can cut it off. */
export const calledKeyLength = 40;

type Named = Pick<PolicyLimit, 'contract' | 'method'> & { readonly webhook?: { readonly key: string } };

/** Limits are parsed once but looked up with each request. */
const known = new WeakMap<Named, string>();

/**
 * The key for counting a limit's calls: those of one contract, or of one method as the limit names it. A webhook's budget
 * has its own key. Undefined for a limit on all operations.
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

/** Cannot collide with a contract's key, which consists of hex digits. */
const prefix = 'webhook-';

/**
 * The key for counting what was sponsored without a webhook. Changing the webhook changes the key, so earlier counts no
 * longer apply.
 */
export function budgetKey(webhookId: string, era: number): string {
  const digest = createHash('sha256').update(JSON.stringify([webhookId, era]));
  return prefix + digest.digest('hex').slice(0, calledKeyLength - prefix.length);
}

/** Whether a key belongs to a webhook, whose budget counts across all policies. */
export function isBudgetKey(called: string): boolean {
  return called.startsWith(prefix);
}

/** Prefix of the subjects that count calls of a contract or method; the key of `called-key.ts` follows. */
export const calledPrefix = 'called:';
export const calledPrefixLength = calledPrefix.length + calledKeyLength + 1;

/** The subject of a count, and which calls it counts; all operations without `called`. */
type Whose = { readonly subject: string; readonly called?: string };

/** The stored form. */
export function storedSubject({ subject, called }: Whose): string {
  return called === undefined ? subject : `${calledPrefix}${called}:${subject}`;
}

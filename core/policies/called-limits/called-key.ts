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

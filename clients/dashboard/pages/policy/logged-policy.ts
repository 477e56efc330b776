import { toWire } from '@tollfree/contract/fields/form';
import { PolicySchema } from '@tollfree/contract/policy-fields';
import type { PolicyDraft } from './policy-draft.ts';

type Stored = Readonly<Record<string, unknown>>;

/** Fields of a stored policy that are amounts in decimal text. */
const amounts = ['maxCostWei', 'maxCostUsdMicros', 'maxFeePerGas'];

/**
 * The fields of a policy as the API has them, of those that the audit log has: the changed ones, with the names and units that
 * are stored. None of what is no policy of this version.
 */
export function policyOfLog(object: Stored = {}): PolicyDraft {
  try {
    const stored: Stored = Object.fromEntries(Object.entries(object).map(([name, value]) => [name, readText(value)]));
    const read = amounts.flatMap((name) =>
      stored[name] === undefined ? [] : [[name, BigInt(String(stored[name]))] as const],
    );
    const limits = Array.isArray(stored.limits) ? { limits: stored.limits.map(readLimit) } : {};
    return toWire(PolicySchema, { ...stored, ...limits, ...Object.fromEntries(read) }) as PolicyDraft;
  } catch {
    return {};
  }
}

function readLimit(limit: Stored): Stored {
  return { ...limit, max: BigInt(String(limit.max)) };
}

/** The fields that a change in the log has changed. */
export function changedFields({ before, after }: LoggedChange): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

/** A change in the log: its fields before and after it. */
export type LoggedChange = { readonly before: PolicyDraft; readonly after: PolicyDraft };

/** A draft without what a change in the log has changed. */
export function takeBack(draft: PolicyDraft, { before, after }: LoggedChange): PolicyDraft {
  const fields = changedFields({ before, after }).map((field) => {
    // The log has its amounts one by one.
    const value =
      field === 'maxCostPerOperation'
        ? takeBack(groupOf(draft[field]), { before: groupOf(before[field]), after: groupOf(after[field]) })
        : before[field];
    return [field, value] as const;
  });
  return { ...draft, ...Object.fromEntries(fields) };
}

function groupOf(value: unknown): PolicyDraft {
  return (value ?? {}) as PolicyDraft;
}

/** Lists and groups are JSON text in the log. */
function readText(value: unknown): unknown {
  return typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value;
}

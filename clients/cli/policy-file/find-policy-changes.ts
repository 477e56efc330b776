import { maxNamedPolicies } from '@tollfree/contract/limits';
import { defaultPolicy } from '../../../core/domain/policy.ts';
import { policyItem } from '../../../core/domain/policy-item.ts';
import { mistake } from '../terminal/cli-error.ts';
import type { NamedEntry, PoliciesInForce, PolicyDocument } from './policy-document.ts';

/** The change of one policy: the default one if there is no `name`. */
export type PolicyChange = {
  readonly action: 'change' | 'create' | 'delete';
  readonly name?: string;
  readonly policyId?: string;
  /** In the order of the file; for a new policy the differences from an empty one. */
  readonly fields: readonly FieldChange[];
};

export type PolicyChanges = {
  /** In the order of execution: changes, deletions, new policies. */
  readonly changes: readonly PolicyChange[];
  /** Named policies that are missing in the file and stay. */
  readonly kept: readonly { readonly name: string; readonly policyId: string }[];
};

/** The changes that a file would make to the current policies. With `prune`, named ones missing in the file are deleted. */
export function findPolicyChanges(
  { policy, policies = [] }: PolicyDocument,
  inForce: PoliciesInForce,
  { prune }: { readonly prune: boolean },
): PolicyChanges {
  const known = new Map(inForce.policies.map((one) => [one.name, one]));
  const wanted = new Set(policies.map(({ name }) => name));
  const missing = inForce.policies.filter(({ name }) => !wanted.has(name));
  const changes: PolicyChange[] = [{ action: 'change', fields: findFieldChanges(inForce.policy, policy) }];
  for (const entry of policies) {
    const before = known.get(entry.name);
    if (before === undefined) continue;
    const { name, policyId } = before;
    changes.push({ action: 'change', name, policyId, fields: findFieldChanges(headOf(before), headOf(entry)) });
  }
  const made = changes.filter(({ fields }) => fields.length > 0);
  if (prune)
    made.push(...missing.map(({ name, policyId }) => ({ action: 'delete' as const, name, policyId, fields: [] })));
  for (const entry of policies.filter(({ name }) => !known.has(name))) {
    made.push({ action: 'create', name: entry.name, fields: findFieldChanges(nothing, headOf(entry)) });
  }
  const kept = prune ? [] : missing.map(({ name, policyId }) => ({ name, policyId }));
  checkCount(wanted.size + kept.length);
  return { changes: made, kept };
}

const nothing = { policy: policyItem(defaultPolicy) };

/** The head of a named policy in a file, without its name. */
function headOf({ description, author, icon, enabled, policy }: NamedEntry): object {
  return { description, author, icon, enabled, policy };
}

function checkCount(count: number): void {
  if (count <= maxNamedPolicies) return;
  throw mistake(
    `A paymaster can have at most ${maxNamedPolicies} named policies, and with this file it would have ${count}. Delete some: --prune deletes those that the file does not have.`,
  );
}

/** A changed field: without `from` it was not set, without `to` it will not be. */
export type FieldChange = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

/** The differences of two objects, ordered by the paths of their fields. Lists are compared as a whole. */
function findFieldChanges(before: object, after: object): readonly FieldChange[] {
  const [from, to] = [flatten(before), flatten(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .filter((field) => !isSame(from.get(field), to.get(field)))
    .map((field) => ({
      field,
      ...(from.has(field) ? { from: from.get(field) } : {}),
      ...(to.has(field) ? { to: to.get(field) } : {}),
    }));
}

function isSame(from: unknown, to: unknown): boolean {
  if (from === undefined || to === undefined) return from === to;
  return canonicalText(from) === canonicalText(to);
}

function flatten(value: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, unknown][] => {
      if (inner === undefined) return [];
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return [[prefix + name, inner]];
      return [...flatten(inner, `${prefix}${name}.`)];
    }),
  );
}

/** A text that equivalent JSON values share: in a policy the order of names and of lists does not matter. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`);
  return `{${entries.sort().join()}}`;
}

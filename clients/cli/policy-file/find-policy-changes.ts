import { maxNamedPolicies } from '@tollfree/contract/limits';
import { policyItem } from '../../../core/domain/policies/policy-item.ts';
import { defaultPolicy } from '../../../core/domain/policy.ts';
import { mistake } from '../terminal/cli-error.ts';
import type { NamedEntry, PoliciesInForce, PolicyDocument } from './policy-document.ts';

/** What is to happen to one policy: the default one, where no `name` is said. */
export type PolicyChange = {
  readonly action: 'change' | 'create' | 'delete';
  readonly name?: string;
  readonly policyId?: string;
  /** By their places in the file; for a new policy those that differ from an empty one. */
  readonly fields: readonly FieldChange[];
};

export type PolicyChanges = {
  /** In the order in which they are made: what is there, what goes, what is new. */
  readonly changes: readonly PolicyChange[];
  /** Named policies that the file does not have, and that stay. */
  readonly kept: readonly { readonly name: string; readonly policyId: string }[];
};

/** What a file would change of the policies in force. With `prune` the named ones that it does not have are deleted. */
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

/** What a file says of a named policy, next to its name. */
function headOf({ description, author, icon, enabled, policy }: NamedEntry): object {
  return { description, author, icon, enabled, policy };
}

function checkCount(count: number): void {
  if (count <= maxNamedPolicies) return;
  throw mistake(
    `A paymaster can have at most ${maxNamedPolicies} named policies, and with this file it would have ${count}. Delete some: --prune deletes those that the file does not have.`,
  );
}

/** A field that differs: without `from` it was not set, without `to` it is not to be. */
export type FieldChange = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

/** In what two objects differ, by the paths of their fields, in the order of the paths. Lists are compared as a whole. */
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

/** Text that two values of JSON share when they say the same: the order of names and of lists says nothing in a policy. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`);
  return `{${entries.sort().join()}}`;
}

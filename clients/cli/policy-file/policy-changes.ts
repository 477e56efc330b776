import { counted } from '@tollfree/contract/counted';
import { maxNamedPolicies } from '@tollfree/contract/limits';
import { TollfreeApiError } from '@tollfree/sdk';
import type { ManagementClient } from '@tollfree/sdk/management';
import { defaultPolicy } from '../../../core/domain/policy.ts';
import { policyItem } from '../../../core/domain/policy-item.ts';
import { mistake, tryAgain } from '../terminal/cli-error.ts';
import { type NamedEntry, type PoliciesInForce, type PolicyDocument, readPoliciesInForce } from './policy-document.ts';

/** Longest text of a value in a line; an icon would be pages long. */
const maxValueLength = 160;

/** The lines that show a person what a policy file would change. */
export function describePolicyChanges({ changes, kept }: PolicyChanges): readonly string[] {
  return [
    ...changes.flatMap((change) => [headline(change), ...change.fields.flatMap(fieldLines)]),
    ...kept.map(
      ({ name, policyId }) => `${quoted(name)} (${policyId}) is not in the file and stays: --prune deletes it.`,
    ),
  ];
}

function headline({ action, name, policyId }: PolicyChange): string {
  if (name === undefined) return 'The default policy changes:';
  if (action === 'create') return `${quoted(name)} is new:`;
  const id = `${quoted(name)} (${policyId})`;
  return action === 'delete' ? `${id} is deleted: requests that name it are refused.` : `${id} changes:`;
}

function fieldLines({ field, ...change }: FieldChange): readonly string[] {
  const { from, to } = change;
  if (Array.isArray(from ?? to) && Array.isArray(to ?? from)) {
    const lines = [
      ...without(from, to).map((item) => `    - ${valueText(item)}`),
      ...without(to, from).map((item) => `    + ${valueText(item)}`),
    ];
    const appears = from === undefined ? ': not set → a list' : to === undefined ? ': a list → not set' : '';
    return [`  ${field}${appears}`, ...lines];
  }
  const [before, after] = [from, to].map((value) => (value === undefined ? 'not set' : valueText(value)));
  return [`  ${field}: ${before} → ${after}`];
}

/** The items of a list that another one lacks, with multiplicity. */
function without(list: unknown, other: unknown): readonly unknown[] {
  const left = Array.isArray(other) ? other.map(canonicalText) : [];
  return (Array.isArray(list) ? list : []).filter((item) => {
    const found = left.indexOf(canonicalText(item));
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
}

function quoted(name: string): string {
  return `The policy ${JSON.stringify(name)}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= maxValueLength
    ? text
    : `${text.slice(0, maxValueLength)}… (${counted(text.length, 'character')})`;
}

/** A planned change and, as far as it got, what was made. */
export type Made = { readonly change: PolicyChange; readonly policyId?: string };

/**
 * Makes the changes one by one, calling `note` after each. Each is for the version in `inForce`, so that no concurrent change
 * is overwritten. Throws a `CliError`, or the service's refusal, at the first change that fails.
 */
export async function makePolicyChanges(
  client: ManagementClient,
  { document, inForce }: { readonly document: PolicyDocument; readonly inForce: PoliciesInForce },
  changes: readonly PolicyChange[],
  note: (made: Made) => void,
): Promise<void> {
  if (canonicalText(await readPoliciesInForce(client)) !== canonicalText(inForce)) throw changedMeanwhile();
  for (const change of changes) note(await makeChange(client, { document, inForce }, change).catch(explainStale));
}

async function makeChange(
  client: ManagementClient,
  { document, inForce }: { readonly document: PolicyDocument; readonly inForce: PoliciesInForce },
  change: PolicyChange,
): Promise<Made> {
  const { action, name, policyId } = change;
  if (name === undefined) {
    await client.setPolicy({ policy: document.policy, etag: inForce.etag });
    return { change };
  }
  const entry = document.policies?.find((one) => one.name === name);
  if (action === 'create' && entry !== undefined) {
    return { change, policyId: (await client.createPolicy(entry)).policyId };
  }
  if (policyId === undefined) throw new Error('An existing policy has an id.');
  const known = inForce.policies.find((one) => one.policyId === policyId);
  const version = { policyId, etag: known?.etag };
  if (action === 'delete') await client.deletePolicy(version);
  else if (entry !== undefined) await client.replacePolicy({ ...version, ...entry });
  return { change, policyId };
}

function explainStale(error: unknown): never {
  if (error instanceof TollfreeApiError && error.status === 412) throw changedMeanwhile();
  throw error;
}

function changedMeanwhile() {
  return tryAgain('The policies were changed in the meantime. Review the changes again.');
}

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
type FieldChange = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

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
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`);
  return `{${entries.sort().join()}}`;
}

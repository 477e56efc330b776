import { isOfUnknownField, suggestField } from '@tollfree/contract/fields/nearest-field';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PolicyItem } from '@tollfree/contract/policy';
import { type PolicyFile, PolicyFileSchema } from '@tollfree/contract/policy-file';
import type { ManagementClient } from '@tollfree/sdk/management';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { z } from 'zod';
import { policyItem, readPolicyRequest } from '../../../core/domain/policy-item.ts';
import { checkPolicy } from '../../../core/policies/check-policy.ts';
import { mistake } from '../terminal/cli-error.ts';

/**
 * Parses a policy file, checking everything possible without the service: fields, bounds and contradictions. Throws a
 * `CliError` that names the position of the first mistake.
 */
export function parsePolicyDocument(text: string, file: string): PolicyDocument {
  const what = `The policy file ${file}`;
  const read = PolicyFileSchema.safeParse(readJsonWithComments(text, what));
  if (!read.success) {
    const [issue] = read.error.issues;
    const problem = issue === undefined ? 'it holds no policy' : describe(issue);
    throw mistake(`${what} is not valid: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`);
  }
  const { paymasterId, policy, policies } = read.data;
  const document = {
    policy: normalize(policy, { what, location: 'policy' }),
    ...omitAbsent({ paymasterId, policies: policies && readPolicies(policies, what) }),
  };
  return document;
}

function readPolicies(policies: NonNullable<PolicyFile['policies']>, what: string): readonly NamedEntry[] {
  return policies.map(({ policy, ...head }, index) => {
    const same = policies.findIndex(({ name }) => name === head.name);
    if (same !== index) {
      throw mistake(`${what} is not valid: policies[${index}].name must differ from policies[${same}].name.`);
    }
    const location = `policies[${index}].policy`;
    return { ...omitAbsent(head), policy: normalize(policy, { what, location }) };
  });
}

/** A policy in the form of the service's answers: checked, with normalized addresses and amounts. */
function normalize(
  policy: PolicyFile['policy'],
  { what, location }: { readonly what: string; readonly location: string },
): PolicyItem {
  const checked = checkPolicy(readPolicyRequest(policy));
  if (checked.ok) return policyItem(checked.value);
  throw mistake(`${what} is not valid: ${location}.${checked.refusal.message}.`);
}

/** The mistake after its full path: a request's messages only begin with the field. */
function describe(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  if (isOfUnknownField(issue)) return `${message}. ${suggestField(issue, PolicyFileSchema)}`;
  const location = path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
  if (location === '') return message.replace(/^Request body/, 'it');
  if (message.startsWith(location)) return message;
  const field = String(path.at(-1));
  return message.startsWith(`${field} `) ? `${location}${message.slice(field.length)}` : `${location}: ${message}`;
}

/**
 * Parses JSON text with optional comments and trailing commas. Throws a `CliError` that begins with `what`, also for a
 * duplicate name in an object, since only one of the values could count.
 */
function readJsonWithComments(text: string, what: string): unknown {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    const reason = first === undefined ? 'it is empty' : printParseErrorCode(first.error);
    const words = reason.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
    throw mistake(`${what} is not valid JSON: ${words} in line ${lineAt(text, first?.offset ?? 0)}.`);
  }
  checkNames(tree, { text, what });
  return getNodeValue(tree);
}

function checkNames(node: Node, location: { readonly text: string; readonly what: string }): void {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name: unknown = child.type === 'property' ? child.children?.[0]?.value : undefined;
    const line = lineAt(location.text, child.offset);
    if (name === '__proto__') throw mistake(`${location.what} is not valid: __proto__ in line ${line} is not known.`);
    if (name !== undefined && names.has(name)) {
      throw mistake(`${location.what} is not valid: ${JSON.stringify(name)} is repeated in line ${line}.`);
    }
    names.add(name);
    checkNames(child, location);
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** A named policy in a file: its name replaces its id. */
export type NamedEntry = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon' | 'enabled' | 'policy'>;

/** The content of a policy file, with complete policies in the form of the service's answers. */
export type PolicyDocument = {
  readonly paymasterId?: string;
  readonly policy: PolicyItem;
  /** Absent: named policies are not changed. */
  readonly policies?: readonly NamedEntry[];
};

/** All policies of a paymaster, as returned by the service. */
export type PoliciesInForce = {
  readonly policy: PolicyItem;
  /** Version of the default policy. */
  readonly etag?: string;
  readonly policies: readonly NamedPolicyItem[];
};

export async function readPoliciesInForce(client: ManagementClient): Promise<PoliciesInForce> {
  const { etag, ...policy } = await client.readPolicy();
  return { policy, policies: await client.listPolicies(), ...omitAbsent({ etag }) };
}

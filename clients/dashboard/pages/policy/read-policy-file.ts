import type { PolicyDraft } from './policy-fields.tsx';

/** A named policy in a file. The service validates it. */
export type FilePolicy = { readonly name: string } & Readonly<Record<string, unknown>>;

/** The policies in a file: the default one, and the named ones if listed. */
type PolicyFileContents = { readonly policy: PolicyDraft; readonly named: readonly FilePolicy[] };

/** Parses a file with all policies, or with one; undefined for anything else. */
export function readPolicyFile(text: string): PolicyFileContents | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(json)) return undefined;
  if (!('policy' in json)) return { policy: json, named: [] };
  const { policy, policies = [] } = json;
  if (!isObject(policy) || !Array.isArray(policies) || !policies.every(isNamed)) return undefined;
  return { policy, named: policies };
}

function isNamed(value: unknown): value is FilePolicy {
  return isObject(value) && typeof value.name === 'string' && isObject(value.policy);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

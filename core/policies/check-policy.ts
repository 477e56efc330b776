import { z } from 'zod';
import { type Policy, PolicySchema } from '../domain/policy.ts';
import { accept, invalidField, type Result } from '../domain/result/result.ts';

/** Fields with a different name in the management API. */
const interfaceNames: Readonly<Record<string, string>> = {
  maxCostWei: 'maxCostPerOperation.wei',
  maxCostUsdMicros: 'maxCostPerOperation.usd',
} satisfies Partial<Record<keyof Policy, string>>;

/**
 * The policy as it will be read back from the store: with checksummed, unique addresses. `INVALID_FIELD` when it is out of
 * bounds or contradicts itself; fields have the names of the management API.
 */
export function checkPolicy(policy: Policy): Result<Policy> {
  const written = z.safeEncode(PolicySchema, policy);
  if (written.success) {
    const { etag: _, ...checked } = PolicySchema.parse(written.data);
    return accept(checked);
  }
  const [{ path, message }] = written.error.issues as [z.core.$ZodIssue]; // an error has at least one issue
  return invalidField(fieldName(path), message);
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = interfaceNames[String(key)] ?? String(key);
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

import type { PolicyRequest } from '@tollfree/contract/policy';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { mistake } from './terminal/cli-error.ts';
import { readNamedFile } from './terminal/read-file.ts';

/** The policy in a JSON file. Invalid fields are reported in the service's words. */
export function readPolicyFile(file: string): PolicyRequest {
  const text = readNamedFile(file, 'The policy file');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw mistake(`The policy file ${file} is not JSON.`, error);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw mistake(`The policy file ${file} must hold a JSON object.`);
  }
  const policy = PolicyRequestSchema.safeParse(content);
  if (policy.success) return policy.data;
  throw mistake(`The policy file ${file} is not valid: ${policy.error.issues[0]?.message ?? 'it holds no policy'}`);
}

import { z } from 'zod';
import { PolicyFileSchema } from '../policies/policy-file.ts';

/**
 * Text of `contract/schemas/policy.json`, for editors: the file as it is written, in the draft that most of them know.
 * What fields say of each other is for the program to check.
 */
export function policyFileSchemaText(): string {
  const schema = {
    title: 'Tollfree policy file',
    ...z.toJSONSchema(PolicyFileSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

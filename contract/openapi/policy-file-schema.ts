import { z } from 'zod';
import { PolicyFileSchema } from '../policies/policy-file.ts';

/**
 * Text of `contract/schemas/policy.json`, for editors: the file format in the JSON Schema draft that most of them
 * support. Rules across fields are checked by the program.
 */
export function policyFileSchemaText(): string {
  const schema = {
    title: 'Tollfree policy file',
    ...z.toJSONSchema(PolicyFileSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

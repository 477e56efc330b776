import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { z } from 'zod';

/** The parts of a field's schema that the form uses. */
export type FieldSchema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
};

/** The fields of a policy, from the contract. */
export const policySchema = z.toJSONSchema(PolicyRequestSchema, {
  io: 'input',
  unrepresentable: 'any',
}) as FieldSchema;

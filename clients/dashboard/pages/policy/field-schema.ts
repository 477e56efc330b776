import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { z } from 'zod';

/** What the form needs of a field's schema. */
export type FieldSchema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
};

/** The fields of a policy, as the contract has them. */
export const policySchema = z.toJSONSchema(PolicyRequestSchema, {
  io: 'input',
  unrepresentable: 'any',
}) as FieldSchema;

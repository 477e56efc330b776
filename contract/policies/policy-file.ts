import { z } from 'zod';
import { afterType } from '../fields/after-type.ts';
import { maxIdLength, maxNamedPolicies } from '../limits.ts';
import { exactly, must, PolicyRequestSchema } from '../policy-fields.ts';
import { textField } from '../text-field.ts';
import { policyHeadFields } from './policy-head-fields.ts';

/** Where a gateway answers the JSON Schema of {@link PolicyFileSchema}. */
export const policyFilePath = '/schemas/policy.json';

const namedPolicy = exactly({
  ...policyHeadFields,
  name: policyHeadFields.name.describe('By which the policy is found again; another name is another policy.'),
  policy: PolicyRequestSchema.describe('What it sponsors: fields that are left out are as in an empty policy.'),
});

/** All policies of a paymaster as one file, which `tollfree policy diff` and `apply` compare with those in force. */
export const PolicyFileSchema = exactly({
  $schema: z.string(must('must be a string')).optional().describe('Where editors find this schema.'),
  paymasterId: textField('paymasterId', maxIdLength)
    .optional()
    .describe('The paymaster that the file is of. Without it the one of the apiKey.'),
  policy: PolicyRequestSchema.describe(
    'The default policy: it decides requests that choose none. Fields that are left out are as in an empty policy.',
  ),
  policies: z
    .array(namedPolicy, must('must be an array'))
    .check(afterType(z.maxLength(maxNamedPolicies, must(`must hold at most ${maxNamedPolicies} items`))))
    .optional()
    .describe('The policies that requests choose by their ids, in any order. Without it they are left alone.'),
});
export type PolicyFile = z.output<typeof PolicyFileSchema>;

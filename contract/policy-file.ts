import { z } from 'zod';
import { exactly, must } from './fields/exactly.ts';
import { maxIdLength, maxNamedPolicies } from './limits.ts';
import { policyHeadFields } from './named-policy.ts';
import { listOf, PolicyRequestSchema } from './policy-fields.ts';
import { textField } from './text-field.ts';

/** Where a gateway answers the JSON Schema of {@link PolicyFileSchema}. */
export const policyFilePath = '/schemas/policy.json';

const namedPolicy = exactly({
  ...policyHeadFields,
  name: policyHeadFields.name.describe('Identifies the policy. Another name means another policy.'),
  policy: PolicyRequestSchema.describe('What the policy sponsors. Fields that are left out are as in an empty policy.'),
});

/** All policies of a paymaster as one file. `tollfree policy diff` and `apply` compare it with the current policies. */
export const PolicyFileSchema = exactly({
  $schema: z.string(must('must be a string')).optional().describe('The URL of this schema, for editors.'),
  paymasterId: textField('paymasterId', maxIdLength)
    .optional()
    .describe('The paymaster the file belongs to. Absent: the paymaster of the apiKey.'),
  policy: PolicyRequestSchema.describe(
    'The default policy, for requests that choose none. Fields that are left out are as in an empty policy.',
  ),
  policies: listOf(namedPolicy, maxNamedPolicies)
    .optional()
    .describe('The policies that requests choose by id, in any order. Absent: named policies are left alone.'),
});
export type PolicyFile = z.output<typeof PolicyFileSchema>;

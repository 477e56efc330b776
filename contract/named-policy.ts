import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { etag } from './fields/etag.ts';
import { exactly } from './fields/exactly.ts';
import { afterType, withObjectForm } from './fields/form.ts';
import { seconds } from './fields/forms.ts';
import { maxIdLength, maxPolicyDescription, maxPolicyIcon, policyIconForm, unprintable } from './limits.ts';
import { manageOperation, operation, readOperation } from './operation.ts';
import { PolicyPreviewSchema, PreviewPolicyQuerySchema } from './policy.ts';
import { PolicyRequestSchema, PolicySchema } from './policy-fields.ts';
import { nameField, textField } from './text-field.ts';

const iconError = { error: `icon must be a data URI of an image with at most ${maxPolicyIcon} characters` };

/** Name and presentation of a named policy, and whether requests may choose it. */
export const policyHeadFields = {
  name: nameField('name').describe('Unique per paymaster.'),
  description: textField('description', maxPolicyDescription)
    .refine((value) => !unprintable.test(value), { error: 'description must be printable characters' })
    .optional(),
  author: nameField('author').optional().describe('Name of the sponsor, shown to users. Absent: the paymaster’s name.'),
  icon: z
    .string({ error: 'icon must be a string' })
    .check(afterType(z.maxLength(maxPolicyIcon, iconError)))
    .regex(policyIconForm, iconError)
    .optional()
    .describe('Icon shown to users, as a data URI (RFC 2397), as ERC-7677 requires.'),
  enabled: z
    .boolean({ error: 'enabled must be a boolean value' })
    .default(true)
    .describe('Requests may choose the policy. Any caller who knows its id can.'),
};

export const NamedPolicyRequestSchema = withObjectForm(exactly({ ...policyHeadFields, policy: PolicyRequestSchema }), {
  read: ({ policy, ...head }) => ({ head, policy }),
});
export type NamedPolicyRequest = z.input<typeof NamedPolicyRequestSchema>;

export const NamedPolicySchema = z.object({
  policyId: z.string().describe('The id by which requests choose the policy.'),
  name: z.string(),
  description: z.string().optional(),
  author: z.string().optional(),
  icon: z.string().optional(),
  enabled: z.boolean(),
  createdAt: seconds,
  updatedAt: seconds,
  policy: PolicySchema,
  etag,
});
export type NamedPolicyItem = z.infer<typeof NamedPolicySchema>;

const pathParams = z.object({ policyId: textField('policyId', maxIdLength) });
const { paymasterNotFound, policyNotFound, policyNameExists, scopeFundsMissing } = managementErrors;

/** Named policies, in addition to the default one. Requests choose them by id. */
export const namedPolicyOperations = {
  /** Creates a policy in addition to the default one. Requests choose it by its `policyId`. */
  create: manageOperation('createPolicy', {
    method: 'POST',
    path: '/policies',
    summary: 'Create a policy that requests can choose',
    credentials: 'paymaster',
    body: NamedPolicyRequestSchema,
    bodyLimit: 'abi',
    message: 'Policy created',
    data: NamedPolicySchema,
    errors: [paymasterNotFound, policyNameExists, scopeFundsMissing],
    repeatable: false,
    changes: 'new policy',
  }),
  /** The policies that requests can choose, by name; the default one is not among them. */
  list: readOperation('listPolicies', {
    path: '/policies',
    summary: 'List the policies that requests can choose',
    credentials: 'paymaster',
    message: 'Policy list fetched',
    data: z.array(NamedPolicySchema),
    errors: [paymasterNotFound],
    streams: 'policies',
  }),
  /** A named policy. */
  read: readOperation('readNamedPolicy', {
    path: '/policies/:policyId',
    summary: 'Read a policy that requests can choose',
    credentials: 'paymaster',
    pathParams,
    message: 'Policy fetched',
    data: NamedPolicySchema,
    errors: [policyNotFound],
  }),
  /** Replaces a named policy and its head: fields that are left out are no longer set. */
  replace: manageOperation('replacePolicy', {
    method: 'PUT',
    path: '/policies/:policyId',
    summary: 'Replace a policy that requests can choose',
    credentials: 'paymaster',
    pathParams,
    body: NamedPolicyRequestSchema,
    bodyLimit: 'abi',
    versioned: true,
    message: 'Policy updated',
    data: NamedPolicySchema,
    errors: [policyNotFound, policyNameExists, scopeFundsMissing],
    repeatable: false,
    changes: 'named policy',
  }),
  /** Deletes a policy. Requests that name it are refused from then on. */
  delete: manageOperation('deletePolicy', {
    method: 'DELETE',
    path: '/policies/:policyId',
    summary: 'Delete a policy; requests that name it are refused',
    credentials: 'paymaster',
    pathParams,
    versioned: true,
    message: 'Policy deleted',
    errors: [policyNotFound, scopeFundsMissing],
    repeatable: false,
    changes: 'named policy',
  }),
  /** Which of the recent decisions of a named policy a proposed policy would change. Sets nothing. */
  preview: operation('previewNamedPolicy', {
    method: 'POST',
    path: '/policies/:policyId/preview',
    summary: 'See which recent decisions of this policy a proposed policy would change',
    credentials: 'paymaster',
    scopes: ['read'],
    pathParams,
    query: PreviewPolicyQuerySchema,
    body: PolicyRequestSchema,
    bodyAs: 'policy',
    bodyLimit: 'abi',
    message: 'Policy previewed',
    data: PolicyPreviewSchema,
    errors: [policyNotFound],
    calls: 'previewPolicy',
  }),
} as const;

import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { afterType } from './fields/after-type.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import { maxMethodLength, maxWhitelistedMethods } from './limits.ts';
import { needs, smartContractChange, withApiKey, withLongAnswer } from './route-metadata.ts';
import { addressField, nameField, requestBody } from './text-field.ts';

const address = addressField('address');

/** Whether the text can be an ABI, checked here so that it fails before later fields; the core reads it. */
function isJsonArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

const whitelistedMethods = z
  .array(
    z
      .string({ error: 'whitelistedMethods must be an array of strings' })
      .check(afterType(z.maxLength(maxMethodLength, { error: 'whitelistedMethods must contain method names' }))),
    { error: 'whitelistedMethods must be an array' },
  )
  .check(
    afterType(
      z.maxLength(maxWhitelistedMethods, {
        error: `whitelistedMethods must have at most ${maxWhitelistedMethods} elements`,
      }),
    ),
  )
  .describe('Method names (every overload) or full signatures (one overload).');

export const SmartContractSchema = z.object({
  name: z.string(),
  address: z.string().describe('Checksummed address.'),
  abi: z.string().describe('JSON text.'),
  whitelistedMethods: z.array(z.string()),
  methods: z.array(z.string()).describe('Names of the state-changing functions in the ABI.'),
});
export type SmartContractItem = z.infer<typeof SmartContractSchema>;

export const RegisterSmartContractRequestSchema = requestBody({
  name: nameField('name').describe('Unique per paymaster.'),
  address,
  abi: z
    .string({ error: 'abi must be a string' })
    .refine(isJsonArray, { error: 'abi must be a valid JSON ABI' })
    .describe('ABI as JSON text.'),
  whitelistedMethods: whitelistedMethods.optional(),
});
export type RegisterSmartContractRequest = z.infer<typeof RegisterSmartContractRequestSchema>;

export const UpdateSmartContractRequestSchema = requestBody({ address, whitelistedMethods });
export type UpdateSmartContractRequest = z.infer<typeof UpdateSmartContractRequestSchema>;

export const DeleteSmartContractRequestSchema = requestBody({ address });
export type DeleteSmartContractRequest = z.infer<typeof DeleteSmartContractRequestSchema>;

export const FetchedAbiSchema = z.object({
  address: z.string().describe('Checksummed address.'),
  abi: z.string().describe('ABI as JSON text. For a proxy, the ABI of its implementation.'),
  implementation: z
    .string()
    .optional()
    .describe('The proxy’s current implementation, which can change. Absent: not a known proxy.'),
});
export type FetchedAbi = z.infer<typeof FetchedAbiSchema>;

/** How a change of a contract affects the policy's rules; absent if all of them still fit. */
const BrokenRulesSchema = z
  .object({ brokenRules: z.array(z.string()) })
  .optional()
  .describe(
    'Policy rules on arguments that no longer fit the contract. Its calls are not sponsored until they are fixed.',
  );

/** Smart contracts a paymaster may sponsor calls to (interface 4.3). */
export const smartContractRouter = initContract().router({
  register: {
    method: 'POST',
    path: '/smart-contract',
    summary: 'Register a smart contract',
    headers: PaymasterHeadersSchema,
    body: RegisterSmartContractRequestSchema,
    metadata: needs(
      ['manage'],
      withApiKey('abi', managementErrors.smartContractAddressExists, managementErrors.smartContractNameExists),
    ),
    responses: {
      ...commonErrorResponses,
      200: envelope('Smart contract registered successfully').extend({ data: BrokenRulesSchema }),
    },
  },
  list: {
    method: 'GET',
    path: '/smart-contract',
    summary: 'List the smart contracts',
    headers: PaymasterHeadersSchema,
    metadata: needs(['read'], withLongAnswer(withApiKey('none'))),
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('Smart contract list fetched', z.array(SmartContractSchema)),
    },
  },
  fetchAbi: {
    method: 'GET',
    path: '/smart-contract/:address/abi',
    summary: 'Fetch a verified contract’s ABI from the configured explorer',
    headers: PaymasterHeadersSchema,
    pathParams: z.object({ address }),
    metadata: needs(['read'], withApiKey('none', managementErrors.explorerNotSetUp)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('ABI fetched', FetchedAbiSchema),
    },
  },
  update: {
    method: 'PATCH',
    path: '/smart-contract',
    summary: 'Replace a smart contract’s whitelisted methods',
    headers: PaymasterHeadersSchema,
    body: UpdateSmartContractRequestSchema,
    metadata: needs(['manage'], smartContractChange),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Smart contract updated', SmartContractSchema),
    },
  },
  delete: {
    method: 'DELETE',
    path: '/smart-contract',
    summary: 'Delete a smart contract',
    headers: PaymasterHeadersSchema,
    body: DeleteSmartContractRequestSchema,
    metadata: needs(['manage'], smartContractChange),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelope('Smart contract deleted').extend({ data: BrokenRulesSchema }),
    },
  },
});

import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { ApiKeyRulesSchema } from './api-key-rules.ts';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { AccountHeadersSchema } from './headers.ts';
import { maxApiKeyGraceSeconds, maxIdLength } from './limits.ts';
import { needs, paymasterCreate, paymasterList, withAuthToken } from './route-metadata.ts';
import { choiceField, nameField, requestBody, textField } from './text-field.ts';

export const ServedContractSchema = z.object({
  version: z.string().describe('The version that paymasters are registered with.'),
  family: z.string().describe('The contract’s family.'),
  address: z.string(),
  entryPointVersion: z.enum(['0.6', '0.7', '0.8', '0.9']),
  entryPoint: z.string().describe('Address of the EntryPoint.'),
});
export type ServedContractItem = z.infer<typeof ServedContractSchema>;

export const ServedChainSchema = z.object({
  chainId: z.int(),
  name: z.string().describe('The chain’s name, set by the operator.'),
  contracts: z.array(ServedContractSchema).describe('The paymaster versions available on the chain.'),
  explorerPageUrl: z
    .string()
    .optional()
    .describe(
      'Block explorer of the chain, for transactions (`/tx/…`) and addresses (`/address/…`). Absent without one.',
    ),
});
export type ServedChainItem = z.infer<typeof ServedChainSchema>;

export const PaymasterSchema = z.object({
  name: z.string(),
  chainId: z.int(),
  apiKey: z.string().describe('`<prefix>.<uuid>`: identifies the DApp. It is part of the RPC endpoint’s address.'),
  paymasterId: z.string(),
  version: z.string().describe('Version of the paymaster contract, as named in the operator’s configuration.'),
  contract: ServedContractSchema.omit({ version: true })
    .optional()
    .describe('The paymaster contract. Absent if the operator no longer has a contract of this version.'),
  pausedAt: z
    .int()
    .optional()
    .describe('Unix seconds when it was paused. It refuses every request until it is resumed.'),
  retiredAt: z.int().optional().describe('Unix seconds when it was retired. It refuses every request from then on.'),
});
export type PaymasterItem = z.infer<typeof PaymasterSchema>;

export const CreatePaymasterRequestSchema = requestBody({
  name: nameField('name').describe('Unique per account and chain id.'),
  type: choiceField('type', ['HYBRID']),
  chainId: z
    .int({ error: 'chainId must be a number' })
    .positive({ error: 'chainId must be a number' })
    .max(Number.MAX_SAFE_INTEGER, { error: 'chainId must be a number' }),
  version: textField('version', maxIdLength).describe(
    'Version of the paymaster contract. The operator configures the available versions.',
  ),
});
export type CreatePaymasterRequest = z.infer<typeof CreatePaymasterRequestSchema>;

export const UpdatePaymasterRequestSchema = requestBody({
  name: nameField('name').optional().describe('Unique per account and chain id.'),
  paused: z
    .boolean({ error: 'paused must be a boolean value' })
    .optional()
    .describe('True: every request is refused with `PAYMASTER_PAUSED` until this is false again.'),
});
export type UpdatePaymasterRequest = z.infer<typeof UpdatePaymasterRequestSchema>;

export const RetirePaymasterRequestSchema = requestBody({
  name: textField('name', maxIdLength).describe('Name of the paymaster, as confirmation.'),
});
export type RetirePaymasterRequest = z.infer<typeof RetirePaymasterRequestSchema>;

export const ApiKeySchema = z.object({
  apiKeyId: z.string().describe('Identifies the apiKey without revealing it.'),
  name: z.string().describe('Unique within the paymaster. Replaced apiKeys keep the name of the newest.'),
  isOwn: z
    .boolean()
    .describe('True: the paymaster’s first apiKey. The list of paymasters shows it, and it cannot be ended.'),
  disabled: z.boolean().describe('True: the key is refused for now.'),
  createdAt: z.int().describe('Unix seconds.'),
  expiresAt: z
    .int()
    .optional()
    .describe('Unix seconds until which a replaced apiKey is still accepted. Absent: not replaced.'),
  lastUsedAt: z.int().optional().describe('Unix seconds, to the minute. Absent: never.'),
  rules: ApiKeyRulesSchema,
});
export type ApiKeyItem = z.infer<typeof ApiKeySchema>;

export const CreatedApiKeySchema = ApiKeySchema.extend({
  apiKey: z
    .string()
    .describe(
      'The apiKey. The list of paymasters shows each paymaster’s own apiKey. All others are shown only in this answer.',
    ),
});
export type CreatedApiKey = z.infer<typeof CreatedApiKeySchema>;

const graceError = `graceSeconds must be a whole number from 0 to ${maxApiKeyGraceSeconds}`;

export const RotateApiKeyRequestSchema = requestBody({
  graceSeconds: z
    .int({ error: graceError })
    .min(0, { error: graceError })
    .max(maxApiKeyGraceSeconds, { error: graceError })
    .describe('Seconds that earlier keys are still accepted; 0 ends them immediately.'),
  apiKeyId: textField('apiKeyId', maxIdLength).optional().describe('Absent: the paymaster’s own.'),
});
export type RotateApiKeyRequest = z.infer<typeof RotateApiKeyRequestSchema>;

export const EndApiKeyRequestSchema = requestBody({ apiKeyId: textField('apiKeyId', maxIdLength) });
export type EndApiKeyRequest = z.infer<typeof EndApiKeyRequestSchema>;

export const CreateApiKeyRequestSchema = requestBody({
  name: nameField('name').describe('Unique for the paymaster.'),
  rules: ApiKeyRulesSchema.optional(),
});
export type CreateApiKeyRequest = z.input<typeof CreateApiKeyRequestSchema>;

export const UpdateApiKeyRequestSchema = requestBody({
  apiKeyId: textField('apiKeyId', maxIdLength),
  name: nameField('name').optional(),
  disabled: z.boolean({ error: 'disabled must be a boolean value' }).optional(),
  rules: ApiKeyRulesSchema.optional().describe('Replaces all current restrictions of the key.'),
}).describe('Fields that are left out stay unchanged. The change also applies to the apiKeys that this key replaced.');
export type UpdateApiKeyRequest = z.input<typeof UpdateApiKeyRequestSchema>;

const keysPath = '/paymaster/:paymasterId/api-key';
const keyErrors = { ...commonErrorResponses, 404: ErrorEnvelopeSchema };

/** Paymasters, also called DApps (interface 4.2). */
export const paymasterRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/paymaster',
    summary: 'List the account’s paymasters',
    headers: AccountHeadersSchema,
    metadata: needs(['read'], paymasterList),
    responses: { ...commonErrorResponses, 200: envelopeWith('DApp list fetched', z.array(PaymasterSchema)) },
  },
  create: {
    method: 'POST',
    path: '/paymaster',
    summary: 'Register a paymaster',
    headers: AccountHeadersSchema,
    body: CreatePaymasterRequestSchema,
    metadata: needs(['manage'], paymasterCreate),
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('DApp registered successfully', PaymasterSchema),
    },
  },
  update: {
    method: 'PATCH',
    path: '/paymaster/:paymasterId',
    summary: 'Rename a paymaster, pause it or resume it',
    headers: AccountHeadersSchema,
    body: UpdatePaymasterRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken(
        'management',
        managementErrors.paymasterNotFound,
        managementErrors.paymasterRetired,
        managementErrors.paymasterNameExists,
      ),
    ),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Paymaster changed', PaymasterSchema),
    },
  },
  retire: {
    method: 'POST',
    path: '/paymaster/:paymasterId/retire',
    summary: 'Retire a paymaster permanently; its ledger stays',
    headers: AccountHeadersSchema,
    body: RetirePaymasterRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken('management', managementErrors.paymasterNotFound, managementErrors.paymasterRetired),
    ),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Paymaster retired', PaymasterSchema),
    },
  },
  listChains: {
    method: 'GET',
    path: '/chain',
    summary: 'List the supported chains with their paymaster contracts',
    headers: AccountHeadersSchema,
    metadata: needs(['read'], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Chain list fetched', z.array(ServedChainSchema)) },
  },
  listApiKeys: {
    method: 'GET',
    path: keysPath,
    summary: 'List the apiKeys of a paymaster, without the keys themselves',
    headers: AccountHeadersSchema,
    metadata: needs(['read'], withAuthToken('none', managementErrors.paymasterNotFound)),
    responses: { ...keyErrors, 200: envelopeWith('API key list fetched', z.array(ApiKeySchema)) },
  },
  createApiKey: {
    method: 'POST',
    path: `${keysPath}/create`,
    summary: 'Create another apiKey for a paymaster',
    headers: AccountHeadersSchema,
    body: CreateApiKeyRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken('management', managementErrors.paymasterNotFound, managementErrors.apiKeyNameExists),
    ),
    responses: { ...keyErrors, 200: envelopeWith('API key created', CreatedApiKeySchema) },
  },
  updateApiKey: {
    method: 'PATCH',
    path: keysPath,
    summary: 'Rename, disable, enable or restrict an apiKey',
    headers: AccountHeadersSchema,
    body: UpdateApiKeyRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken(
        'management',
        managementErrors.paymasterNotFound,
        managementErrors.apiKeyNotFound,
        managementErrors.apiKeyNameExists,
      ),
    ),
    responses: { ...keyErrors, 200: envelopeWith('API key updated', ApiKeySchema) },
  },
  rotateApiKey: {
    method: 'POST',
    path: keysPath,
    summary: 'Replace an apiKey of a paymaster, immediately or after a grace period',
    headers: AccountHeadersSchema,
    body: RotateApiKeyRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken('management', managementErrors.paymasterNotFound, managementErrors.apiKeyNotFound),
    ),
    responses: { ...keyErrors, 200: envelopeWith('API key replaced', CreatedApiKeySchema) },
  },
  endApiKey: {
    method: 'DELETE',
    path: keysPath,
    summary: 'End an apiKey immediately',
    headers: AccountHeadersSchema,
    body: EndApiKeyRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken('management', managementErrors.paymasterNotFound, managementErrors.apiKeyNotFound),
    ),
    responses: { ...keyErrors, 200: envelope('API key ended') },
  },
});

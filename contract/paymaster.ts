import { z } from 'zod';
import { ApiKeyRulesSchema } from './api-key-rules.ts';
import { entryPointVersions } from './entry-point-version.ts';
import { managementErrors } from './errors.ts';
import { etag } from './fields/etag.ts';
import { exactly } from './fields/exactly.ts';
import { ofScalar, withObjectForm } from './fields/form.ts';
import { address, chainId, seconds, withRecord } from './fields/forms.ts';
import { maxApiKeyGraceSeconds, maxIdLength } from './limits.ts';
import { manageOperation, readOperation } from './operation.ts';
import { choiceField, nameField, textField } from './text-field.ts';

export const ServedContractSchema = z.object({
  version: z.string().describe('The version that paymasters are registered with.'),
  family: z.string().describe('The contract’s family.'),
  address,
  entryPointVersion: z.enum(entryPointVersions),
  entryPoint: address.describe('Address of the EntryPoint.'),
});
export type ServedContractItem = z.infer<typeof ServedContractSchema>;

const ServedTokenSchema = z.object({
  address,
  symbol: z.string(),
  decimals: z.int().describe('Amounts of base units have this many decimals.'),
});

export const ServedChainSchema = z.object({
  chainId,
  name: z.string().describe('The chain’s name, set by the operator.'),
  contracts: z.array(ServedContractSchema).describe('The paymaster versions available on the chain.'),
  tokens: z.array(ServedTokenSchema).describe('The tokens in which users can pay on the chain.'),
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
  chainId,
  apiKey: z.string().describe('`<prefix>.<uuid>`: identifies the DApp. It is part of the RPC endpoint’s address.'),
  paymasterId: z.string(),
  version: z.string().describe('Version of the paymaster contract, as named in the operator’s configuration.'),
  contract: ServedContractSchema.omit({ version: true })
    .optional()
    .describe('The paymaster contract. Absent if the operator no longer has a contract of this version.'),
  pausedAt: seconds
    .optional()
    .describe('Unix seconds when it was paused. It refuses every request until it is resumed.'),
  retiredAt: seconds.optional().describe('Unix seconds when it was retired. It refuses every request from then on.'),
  etag,
});
export type PaymasterItem = z.infer<typeof PaymasterSchema>;

export const CreatePaymasterRequestSchema = exactly({
  name: nameField('name').describe('Unique per account and chain id.'),
  type: choiceField('type', ['HYBRID']),
  chainId: ofScalar(
    z
      .int({ error: 'chainId must be a number' })
      .positive({ error: 'chainId must be a number' })
      .max(Number.MAX_SAFE_INTEGER, { error: 'chainId must be a number' }),
    'chainId',
  ),
  version: textField('version', maxIdLength).describe(
    'Version of the paymaster contract. The operator configures the available versions.',
  ),
});
export type CreatePaymasterRequest = z.infer<typeof CreatePaymasterRequestSchema>;

export const UpdatePaymasterRequestSchema = exactly({
  name: nameField('name').optional().describe('Unique per account and chain id.'),
  paused: z
    .boolean({ error: 'paused must be a boolean value' })
    .optional()
    .describe('True: every request is refused with `PAYMASTER_PAUSED` until this is false again.'),
});
export type UpdatePaymasterRequest = z.infer<typeof UpdatePaymasterRequestSchema>;

export const RetirePaymasterRequestSchema = exactly({
  name: textField('name', maxIdLength).describe('Name of the paymaster, as confirmation.'),
});
export type RetirePaymasterRequest = z.infer<typeof RetirePaymasterRequestSchema>;

export const ApiKeySchema = z.object({
  apiKeyId: z.string().describe('Identifies the apiKey without revealing it.'),
  name: z.string().describe('Unique within the paymaster. Replaced apiKeys keep the name of the newest.'),
  lastFour: z.string().describe('The last four characters of the apiKey, to recognise it.'),
  isOwn: z
    .boolean()
    .describe('True: the paymaster’s first apiKey. The list of paymasters shows it, and it cannot be ended.'),
  disabled: z.boolean().describe('True: the key is refused for now.'),
  createdAt: seconds,
  expiresAt: seconds
    .optional()
    .describe('Unix seconds until which a replaced apiKey is still accepted. Absent: not replaced.'),
  lastUsedAt: seconds.optional().describe('Unix seconds, to the minute. Absent: never.'),
  rules: ApiKeyRulesSchema,
  etag,
});
export type ApiKeyItem = z.infer<typeof ApiKeySchema>;

export const CreatedApiKeySchema = withObjectForm(
  ApiKeySchema.extend({
    apiKey: z
      .string()
      .describe(
        'The apiKey. The list of paymasters shows each paymaster’s own apiKey. All others are shown only in this answer.',
      ),
  }),
  withRecord,
);
export type CreatedApiKey = z.infer<typeof CreatedApiKeySchema>;

const graceError = `graceSeconds must be a whole number from 0 to ${maxApiKeyGraceSeconds}`;

export const RotateApiKeyRequestSchema = exactly({
  graceSeconds: ofScalar(
    z.int({ error: graceError }).min(0, { error: graceError }).max(maxApiKeyGraceSeconds, { error: graceError }),
    'seconds',
  ).describe('Seconds that earlier keys are still accepted; 0 ends them immediately.'),
  apiKeyId: textField('apiKeyId', maxIdLength).optional().describe('Absent: the paymaster’s own.'),
});
export type RotateApiKeyRequest = z.infer<typeof RotateApiKeyRequestSchema>;

export const EndApiKeyRequestSchema = exactly({ apiKeyId: textField('apiKeyId', maxIdLength) });
export type EndApiKeyRequest = z.infer<typeof EndApiKeyRequestSchema>;

export const CreateApiKeyRequestSchema = exactly({
  name: nameField('name').describe('Unique for the paymaster.'),
  rules: ApiKeyRulesSchema.optional(),
});
export type CreateApiKeyRequest = z.input<typeof CreateApiKeyRequestSchema>;

export const UpdateApiKeyRequestSchema = exactly({
  apiKeyId: textField('apiKeyId', maxIdLength),
  name: nameField('name').optional(),
  disabled: z.boolean({ error: 'disabled must be a boolean value' }).optional(),
  rules: ApiKeyRulesSchema.optional().describe('Replaces all current restrictions of the key.'),
}).describe('Fields that are left out stay unchanged. The change also applies to the apiKeys that this key replaced.');
export type UpdateApiKeyRequest = z.input<typeof UpdateApiKeyRequestSchema>;

/** Path parameter of the operations on one paymaster of the account. */
export const PaymasterParamsSchema = z.object({ paymasterId: z.string() });

const onOnePaymaster = { credentials: 'account', pathParams: PaymasterParamsSchema } as const;
const keysPath = '/paymaster/:paymasterId/api-key';
const {
  apiKeyNameExists,
  apiKeyNotFound,
  authTokenAndApiKeyRequired,
  chainIdNotSupported,
  paymasterNameExists,
  paymasterNotFound,
  paymasterRetired,
  paymasterVersionNotSupported,
} = managementErrors;

/** Paymasters, also called DApps (interface 4.2). */
export const paymasterOperations = {
  /** The account's paymasters with their apiKeys (interface 4.2). */
  list: readOperation('listPaymasters', {
    path: '/paymaster',
    summary: 'List the account’s paymasters',
    credentials: 'account',
    ignoresUnknown: true,
    message: 'DApp list fetched',
    data: z.array(PaymasterSchema),
    unauthorized: authTokenAndApiKeyRequired,
  }),
  /**
   * Registers a paymaster (interface 4.2). `version` names a paymaster contract that the operator configured for the chain.
   *
   * @example
   * const { apiKey, paymasterId } = await client.createPaymaster({ name: 'shop', chainId: 137, version: '1.0.0' });
   */
  create: manageOperation('createPaymaster', {
    method: 'POST',
    path: '/paymaster',
    summary: 'Register a paymaster',
    credentials: 'account',
    body: CreatePaymasterRequestSchema,
    ignoresUnknown: true,
    message: 'DApp registered successfully',
    data: PaymasterSchema,
    errors: [paymasterNameExists, chainIdNotSupported, paymasterVersionNotSupported],
    repeatable: false,
    changes: 'new paymaster',
  }),
  /**
   * Renames a paymaster, pauses it (every request is refused) or resumes it.
   *
   * @example
   * await client.updatePaymaster({ paymasterId, paused: true });
   */
  update: manageOperation('updatePaymaster', {
    method: 'PATCH',
    path: '/paymaster/:paymasterId',
    summary: 'Rename a paymaster, pause it or resume it',
    ...onOnePaymaster,
    body: UpdatePaymasterRequestSchema,
    versioned: true,
    message: 'Paymaster changed',
    data: PaymasterSchema,
    errors: [paymasterNotFound, paymasterRetired, paymasterNameExists],
    repeatable: true,
    changes: 'paymaster',
  }),
  /**
   * Retires a paymaster permanently: nothing is signed or changed from then on, and its ledger stays. `name` is its own name,
   * as confirmation.
   *
   * @example
   * await client.retirePaymaster({ paymasterId, name: 'shop' });
   */
  retire: manageOperation('retirePaymaster', {
    method: 'POST',
    path: '/paymaster/:paymasterId/retire',
    summary: 'Retire a paymaster permanently; its ledger stays',
    ...onOnePaymaster,
    body: RetirePaymasterRequestSchema,
    message: 'Paymaster retired',
    data: PaymasterSchema,
    errors: [paymasterNotFound, paymasterRetired],
    repeatable: false,
    changes: 'paymaster',
  }),
  /** The supported chains with their paymaster contracts, whose `version` a paymaster can use there. */
  listChains: readOperation('listChains', {
    path: '/chain',
    summary: 'List the supported chains with their paymaster contracts',
    credentials: 'account',
    message: 'Chain list fetched',
    data: z.array(ServedChainSchema),
  }),
  /** The apiKeys of a paymaster, its own first, newest first for each, without the keys themselves. */
  listApiKeys: readOperation('listApiKeys', {
    path: keysPath,
    summary: 'List the apiKeys of a paymaster, without the keys themselves',
    ...onOnePaymaster,
    message: 'API key list fetched',
    data: z.array(ApiKeySchema),
    errors: [paymasterNotFound],
  }),
  /**
   * Creates another apiKey for a paymaster. It is shown only in this answer.
   *
   * @example
   * const { apiKey } = await client.createApiKey({ paymasterId, name: 'web shop' });
   */
  createApiKey: manageOperation('createApiKey', {
    method: 'POST',
    path: `${keysPath}/create`,
    summary: 'Create another apiKey for a paymaster',
    ...onOnePaymaster,
    body: CreateApiKeyRequestSchema,
    message: 'API key created',
    data: CreatedApiKeySchema,
    errors: [paymasterNotFound, apiKeyNameExists],
    repeatable: false,
    changes: 'apiKeys',
  }),
  /**
   * Changes an apiKey, and those it replaced: fields that are left out stay unchanged.
   *
   * @example
   * await client.updateApiKey({ paymasterId, apiKeyId, disabled: true });
   */
  updateApiKey: manageOperation('updateApiKey', {
    method: 'PATCH',
    path: keysPath,
    summary: 'Rename, disable, enable or restrict an apiKey',
    ...onOnePaymaster,
    body: UpdateApiKeyRequestSchema,
    versioned: true,
    message: 'API key updated',
    data: ApiKeySchema,
    errors: [paymasterNotFound, apiKeyNotFound, apiKeyNameExists],
    repeatable: true,
    changes: 'apiKeys',
  }),
  /**
   * Replaces an apiKey of a paymaster; without `apiKeyId` its own. Earlier keys are accepted for `graceSeconds` more; 0 ends
   * them immediately.
   *
   * @example
   * const { apiKey } = await client.rotateApiKey({ paymasterId, graceSeconds: 86_400 });
   */
  rotateApiKey: manageOperation('rotateApiKey', {
    method: 'POST',
    path: keysPath,
    summary: 'Replace an apiKey of a paymaster, immediately or after a grace period',
    ...onOnePaymaster,
    body: RotateApiKeyRequestSchema,
    message: 'API key replaced',
    data: CreatedApiKeySchema,
    errors: [paymasterNotFound, apiKeyNotFound],
    repeatable: false,
    changes: 'apiKeys',
  }),
  /** Ends an apiKey immediately, with those it replaced. The paymaster's own key ends by being replaced. */
  endApiKey: manageOperation('endApiKey', {
    method: 'DELETE',
    path: keysPath,
    summary: 'End an apiKey immediately',
    ...onOnePaymaster,
    body: EndApiKeyRequestSchema,
    message: 'API key ended',
    errors: [paymasterNotFound, apiKeyNotFound],
    repeatable: false,
    changes: 'apiKeys',
  }),
} as const;

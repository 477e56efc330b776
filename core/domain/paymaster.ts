import { FundingMessageSchema as ApiFundingMessageSchema } from '@tollfree/contract/funding';
import * as api from '@tollfree/contract/paymaster';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { address, message, text } from '../base/message-schema.ts';
import { ApiKeyRulesSchema, noKeyRules } from './api-key-rules.ts';
import { SupportedTokenSchema } from './paymaster-data.ts';

/**
 * A registered paymaster (DApp). `version` names a configured paymaster contract of its chain; `apiKey` is the newest
 * accepted one of its own.
 */
export const PaymasterSchema = message('Paymaster', {
  ...fieldsOfApi(api.PaymasterSchema.omit({ contract: true })),
  accountId: text,
  /** Checksummed address. Absent until ownership of one was proven. */
  fundingWallet: address.exactOptional(),
});
export type Paymaster = z.output<typeof PaymasterSchema>;

/** A message to sign with the key of the future funding wallet. */
export const FundingMessageSchema = message('FundingMessage', fieldsOfApi(ApiFundingMessageSchema));

/**
 * One of a paymaster's apiKeys, without the key itself. `expiresAt` is only present for a replaced one, which is accepted
 * until then; `lastUsedAt` is rounded to the minute. Times are Unix seconds.
 */
export const ApiKeyRecordSchema = message(
  'ApiKeyRecord',
  fieldsOfApi(api.ApiKeySchema, { rules: ApiKeyRulesSchema.default(noKeyRules) }),
);
export type ApiKeyRecord = z.output<typeof ApiKeyRecordSchema>;

/** The settings of an apiKey, shared with those that it replaces while they are accepted. */
export type ApiKeySettings = Pick<ApiKeyRecord, 'name' | 'disabled' | 'rules'>;

/** A new apiKey with its record. */
export const NewApiKeySchema = message('NewApiKey', {
  apiKey: text,
  record: ApiKeyRecordSchema,
});

/** A paymaster contract that the operator has configured: paymasters name it by its `version`. */
const ServedContractSchema = message('ServedContract', fieldsOfApi(api.ServedContractSchema));
export type ServedContract = z.output<typeof ServedContractSchema>;

/** A configured chain, with the contracts that a paymaster can be registered for there. */
export const ServedChainSchema = message(
  'ServedChain',
  fieldsOfApi(api.ServedChainSchema, { contracts: ServedContractSchema, tokens: SupportedTokenSchema }),
);
export type ServedChain = z.output<typeof ServedChainSchema>;

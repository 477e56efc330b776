import {
  ApiKeyLimitSchema,
  ApiKeyRateSchema,
  ApiKeyRecordListSchema,
  ApiKeyRecordSchema,
  ApiKeyRulesSchema as ApiKeyRulesMessageSchema,
  FundingMessageSchema,
  NewApiKeySchema,
  PaymasterListSchema,
  PaymasterSchema,
  ServedChainListSchema,
  ServedChainSchema,
  ServedContractSchema,
} from '../../../proto/gen/tollfree/core/v1/paymaster_pb.ts';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import { type ApiKeyRules, type KeyLimit, type KeyRate, noKeyRules } from '../../domain/keys/api-key-rules.ts';
import type { ApiKeyRecord, NewApiKey, Paymaster, ServedChain, ServedContract } from '../../domain/paymaster.ts';
import { limitUnits, limitWindows } from '../../domain/policy.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { decimal } from '../codec/decimal.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { absentAs, required } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';

export const paymaster = messageOf<Paymaster>()(PaymasterSchema, {
  chainId,
  fundingWallet: address,
  pausedAt: seconds,
  retiredAt: seconds,
});
export const paymasters = soleField(PaymasterListSchema, listOf(paymaster));
export const fundingMessage = messageOf<{ fundingMessage: string }>()(FundingMessageSchema);

const limit = messageOf<KeyLimit>()(ApiKeyLimitSchema, {
  window: oneOf(limitWindows),
  unit: oneOf(limitUnits),
  max: decimal,
});
export const apiKeyRules = messageOf<ApiKeyRules>()(ApiKeyRulesMessageSchema, {
  rate: messageOf<KeyRate>()(ApiKeyRateSchema),
  limits: listOf(limit),
});

export const apiKeyRecord = messageOf<ApiKeyRecord>()(ApiKeyRecordSchema, {
  rules: absentAs(noKeyRules, apiKeyRules),
  createdAt: seconds,
  expiresAt: seconds,
  lastUsedAt: seconds,
});
export const apiKeyRecords = soleField(ApiKeyRecordListSchema, listOf(apiKeyRecord));
export const newApiKey = messageOf<NewApiKey>()(NewApiKeySchema, { record: required(apiKeyRecord) });

const servedContract = messageOf<ServedContract>()(ServedContractSchema, {
  address,
  entryPointVersion: oneOf(entryPointVersions),
  entryPoint: address,
});
const servedChain = messageOf<ServedChain>()(ServedChainSchema, { chainId, contracts: listOf(servedContract) });
export const servedChains = soleField(ServedChainListSchema, listOf(servedChain));

import {
  ApiKeyRecordListSchema,
  ApiKeyRecordSchema,
  FundingMessageSchema,
  NewApiKeySchema,
  PaymasterListSchema,
  PaymasterSchema,
  ServedChainListSchema,
  ServedChainSchema,
  ServedContractSchema,
} from '../../../proto/gen/tollfree/core/v1/paymaster_pb.ts';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import type { ApiKeyRecord, NewApiKey, Paymaster, ServedChain, ServedContract } from '../../domain/paymaster.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { required } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';

export const paymaster = messageOf<Paymaster>()(PaymasterSchema, { chainId, fundingWallet: address });
export const paymasters = soleField(PaymasterListSchema, listOf(paymaster));
export const fundingMessage = messageOf<{ fundingMessage: string }>()(FundingMessageSchema);

export const apiKeyRecord = messageOf<ApiKeyRecord>()(ApiKeyRecordSchema, {
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

import { z } from 'zod';
import { address, chainId, flag, listOf, message, seconds, text } from '../base/message-schema.ts';
import { ApiKeyRulesSchema, noKeyRules } from './api-key-rules.ts';
import { entryPointVersions } from './entry-point-version.ts';

/**
 * A registered paymaster (DApp). `version` names a configured paymaster contract of its chain, `apiKey` is the newest
 * of those of its own that are accepted.
 */
export const PaymasterSchema = message('Paymaster', {
  paymasterId: text,
  accountId: text,
  name: text,
  chainId,
  /** Names a configured paymaster contract of the chain. */
  version: text,
  /** `<prefix>.<uuid>`; sent by the DApp with its sponsorship calls. */
  apiKey: text,
  /** Checksummed address. Absent until one has been proven. */
  fundingWallet: address.exactOptional(),
  /** Unix seconds since when it answers nothing until it is resumed. Absent: it is not paused. */
  pausedAt: seconds.exactOptional(),
  /** Since when it answers nothing, for good, and is not changed any more. */
  retiredAt: seconds.exactOptional(),
});
export type Paymaster = z.output<typeof PaymasterSchema>;

/** A message to sign with the key of the future funding wallet. */
export const FundingMessageSchema = message('FundingMessage', {
  /** Exact text, line breaks included (EIP-191 `personal_sign`). */
  fundingMessage: text,
});

/**
 * One of a paymaster's apiKeys, without the key itself. `expiresAt` is absent unless it is a replaced one, which is
 * accepted until then; `lastUsedAt` is to the minute. Times are Unix seconds.
 */
export const ApiKeyRecordSchema = message('ApiKeyRecord', {
  apiKeyId: text,
  /** Whether it is the one that the paymaster has from the beginning, which is listed with it and never deleted. */
  isOwn: flag,
  createdAt: seconds,
  /** Unix seconds until which a replaced one is accepted. Absent: it is not replaced. */
  expiresAt: seconds.exactOptional(),
  /** Unix seconds, to the minute. Absent: never. */
  lastUsedAt: seconds.exactOptional(),
  /** No two keys of a paymaster have the same; a replaced one has that of the newest. */
  name: text,
  /** Sponsors nothing for now. The management interface takes it all the same: there it only names the paymaster. */
  disabled: flag,
  /** What it is bound to. Absent is read as nothing. */
  rules: ApiKeyRulesSchema.default(noKeyRules),
});
export type ApiKeyRecord = z.output<typeof ApiKeyRecordSchema>;

/** What is set of an apiKey, and of those that it replaces while they are accepted. */
export type ApiKeySettings = Pick<ApiKeyRecord, 'name' | 'disabled' | 'rules'>;

/** A new apiKey with its record. */
export const NewApiKeySchema = message('NewApiKey', {
  apiKey: text,
  record: ApiKeyRecordSchema,
});

/** A paymaster contract that the operator has configured: paymasters name it by its `version`. */
const ServedContractSchema = message('ServedContract', {
  version: text,
  /** Name of the kind of contract. */
  family: text,
  address,
  entryPointVersion: z.enum(entryPointVersions),
  entryPoint: address,
});
export type ServedContract = z.output<typeof ServedContractSchema>;

/** A chain that is configured, with what a paymaster can be registered for there. */
export const ServedChainSchema = message('ServedChain', {
  chainId,
  name: text,
  /** What a paymaster can be registered for there. */
  contracts: listOf(ServedContractSchema),
  /** Where people look at its transactions (`/tx/…`) and addresses (`/address/…`); none when absent. */
  explorerPageUrl: text.exactOptional(),
});
export type ServedChain = z.output<typeof ServedChainSchema>;

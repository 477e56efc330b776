import { z } from 'zod';
import { address, chainId, flag, listOf, message, seconds, text } from '../base/message-schema.ts';
import { ApiKeyRulesSchema, noKeyRules } from './api-key-rules.ts';
import { entryPointVersions } from './entry-point-version.ts';

/**
 * A registered paymaster (DApp). `version` names a configured paymaster contract of its chain; `apiKey` is the newest
 * accepted one of its own.
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
  /** Checksummed address. Absent until ownership of one was proven. */
  fundingWallet: address.exactOptional(),
  /** Start of the pause, in Unix seconds: it answers nothing until it is resumed. Absent: not paused. */
  pausedAt: seconds.exactOptional(),
  /** From this time on it permanently answers nothing and is read-only. */
  retiredAt: seconds.exactOptional(),
});
export type Paymaster = z.output<typeof PaymasterSchema>;

/** A message to sign with the key of the future funding wallet. */
export const FundingMessageSchema = message('FundingMessage', {
  /** Exact text, line breaks included (EIP-191 `personal_sign`). */
  fundingMessage: text,
});

/**
 * One of a paymaster's apiKeys, without the key itself. `expiresAt` is only present for a replaced one, which is accepted
 * until then; `lastUsedAt` is rounded to the minute. Times are Unix seconds.
 */
export const ApiKeyRecordSchema = message('ApiKeyRecord', {
  apiKeyId: text,
  /** Whether it is the paymaster's original one, which is listed with it and never deleted. */
  isOwn: flag,
  createdAt: seconds,
  /** Unix seconds until which a replaced one is accepted. Absent: not replaced. */
  expiresAt: seconds.exactOptional(),
  /** Unix seconds, rounded to the minute. Absent: never. */
  lastUsedAt: seconds.exactOptional(),
  /** Unique among the paymaster's keys; a replaced one has the name of its newest version. */
  name: text,
  /** Sponsors nothing for now. The management API still accepts it: there it only names the paymaster. */
  disabled: flag,
  /** Its restrictions. Absent is read as none. */
  rules: ApiKeyRulesSchema.default(noKeyRules),
});
export type ApiKeyRecord = z.output<typeof ApiKeyRecordSchema>;

/** The settings of an apiKey, shared with those that it replaces while they are accepted. */
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

/** A configured chain, with the contracts that a paymaster can be registered for there. */
export const ServedChainSchema = message('ServedChain', {
  chainId,
  name: text,
  /** The contracts that a paymaster can be registered for there. */
  contracts: listOf(ServedContractSchema),
  /** Block explorer for people, with transactions (`/tx/…`) and addresses (`/address/…`); none when absent. */
  explorerPageUrl: text.exactOptional(),
});
export type ServedChain = z.output<typeof ServedChainSchema>;

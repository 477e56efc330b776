import { chainId, flag, listMessage, request, seconds, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import { ApiKeyRulesSchema } from '../api-key-rules.ts';
import {
  ApiKeyRecordSchema,
  FundingMessageSchema,
  NewApiKeySchema,
  PaymasterSchema,
  ServedChainSchema,
} from '../paymaster.ts';
import { NewTicketKeySchema, TicketKeySchema, ticketKeyInput } from '../tickets/ticket-key.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/**
 * Paymasters with their apiKeys, the keys of their tickets and their funding wallets, and the chains they can be on.
 */
export const paymasterOperations = {
  /** Registers a paymaster (DApp). */
  createPaymaster: {
    input: request({ accountId: text, name: text, type: text, chainId, version: text }),
    value: PaymasterSchema,
  },
  /** Lists the paymasters of an account. */
  listPaymasters: {
    input: request({ accountId: text }),
    value: listMessage('PaymasterList', 'paymasters', PaymasterSchema),
  },
  /** Renames a paymaster, or lets it answer nothing until it is resumed. `PAYMASTER_NAME_EXISTS`. */
  updatePaymaster: {
    input: request({ ...owned, name: text.exactOptional(), paused: flag.exactOptional() }),
    value: PaymasterSchema,
  },
  /**
   * Ends a paymaster for good: its other keys end, nothing is signed and nothing of it is changed any more. Books,
   * statements and decisions stay, and what was signed may still land. `name` is its own, so that no other is meant.
   */
  retirePaymaster: { input: request({ ...owned, name: text }), value: PaymasterSchema },
  /** The configured chains, whether they answer now or not. */
  listChains: { value: listMessage('ServedChainList', 'chains', ServedChainSchema) },
  /** The apiKeys of the paymaster that have not ended: its own first, of each key the newest first. */
  listApiKeys: { input: request(owned), value: listMessage('ApiKeyRecordList', 'records', ApiKeyRecordSchema) },
  /**
   * Makes one more apiKey next to those there are, shown here and never again. `API_KEY_NAME_EXISTS`,
   * `TOO_MANY_API_KEYS`.
   */
  createApiKey: {
    input: request({
      ...owned,
      name: text,
      /** Absent: the key is bound to nothing. */
      rules: ApiKeyRulesSchema.exactOptional(),
    }),
    value: NewApiKeySchema,
  },
  /** Changes what is given of a key, and of those it replaces: what is sponsored with it from now on follows that. */
  updateApiKey: {
    input: request({
      ...owned,
      apiKeyId: text,
      name: text.exactOptional(),
      disabled: flag.exactOptional(),
      rules: ApiKeyRulesSchema.exactOptional(),
    }),
    value: ApiKeyRecordSchema,
  },
  /**
   * Makes a new apiKey instead of one, of the paymaster's own without an id; those before it are accepted for
   * `graceSeconds` more and no longer, with 0 no more at all. `TOO_MANY_API_KEYS` when too many would be accepted at
   * the same time.
   */
  rotateApiKey: {
    input: request({ ...owned, graceSeconds: seconds, apiKeyId: text.exactOptional() }),
    value: NewApiKeySchema,
  },
  /**
   * Ends an apiKey at once, with those it has replaced. `API_KEY_NOT_FOUND`; `INVALID_FIELD` for the newest of the
   * paymaster's own, which is to be replaced.
   */
  endApiKey: { input: request({ ...owned, apiKeyId: text }), value: ApiKeyRecordSchema },
  /** Makes or takes a key that signs tickets. What is secret of it is in this answer and never again. */
  createTicketKey: {
    input: request({ ...owned, ...ticketKeyInput }),
    value: NewTicketKeySchema,
  },
  /** In the order they were made. */
  listTicketKeys: { input: request(owned), value: listMessage('TicketKeyList', 'ticketKeys', TicketKeySchema) },
  /** Its tickets are not taken from then on. `TICKET_KEY_NOT_FOUND`. */
  deleteTicketKey: { input: request({ ...owned, ticketKeyId: text }), value: TicketKeySchema },
  /** A new message to sign with the key of the future funding wallet; it replaces the one before. */
  createFundingMessage: { input: request(owned), value: FundingMessageSchema },
  /** Changes the funding wallet, given the signature of the newest message. */
  setFundingWallet: {
    input: request({
      ...owned,
      /** EIP-191 signature of the newest funding message. */
      signature: text,
      address: text,
    }),
    value: PaymasterSchema,
  },
} as const satisfies CoreMethods;
export type PaymasterOperations = OperationsOf<typeof paymasterOperations>;

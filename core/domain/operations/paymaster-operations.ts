import { fundingOperations as funding } from '@tollfree/contract/funding';
import { paymasterOperations as api } from '@tollfree/contract/paymaster';
import { ticketKeyOperations as ticketKeys } from '@tollfree/contract/ticket-key';
import { listMessage, request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import { ApiKeyRulesSchema } from '../api-key-rules.ts';
import {
  ApiKeyRecordSchema,
  FundingMessageSchema,
  NewApiKeySchema,
  PaymasterSchema,
  ServedChainSchema,
} from '../paymaster.ts';
import { NewTicketKeySchema, TicketKeySchema } from '../tickets.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** Paymasters with their apiKeys, ticket keys and funding wallets, and the chains they can be on. */
export const paymasterOperations = {
  /** Registers a paymaster (DApp). */
  createPaymaster: {
    input: inputOf(api.create),
    value: PaymasterSchema,
  },
  /** Lists the paymasters of an account. */
  listPaymasters: {
    input: inputOf(api.list),
    value: listMessage('PaymasterList', 'paymasters', PaymasterSchema),
  },
  /** Renames a paymaster, or pauses it: it answers nothing until it is resumed. `PAYMASTER_NAME_EXISTS`. */
  updatePaymaster: { input: inputOf(api.update), value: PaymasterSchema },
  /**
   * Retires a paymaster permanently: its additional keys end, nothing is signed, and it becomes read-only. Its ledger,
   * statements and decisions remain, and signed operations may still land. `name` must be its own, as a safeguard.
   */
  retirePaymaster: { input: inputOf(api.retire), value: PaymasterSchema },
  /** The configured chains, whether or not they answer now. */
  listChains: { value: listMessage('ServedChainList', 'chains', ServedChainSchema) },
  /** The paymaster's apiKeys that have not ended: its own first, newest version first for each key. */
  listApiKeys: {
    input: inputOf(api.listApiKeys),
    value: listMessage('ApiKeyRecordList', 'records', ApiKeyRecordSchema),
  },
  /** Creates an additional apiKey, which only this answer shows. `API_KEY_NAME_EXISTS`, `TOO_MANY_API_KEYS`. */
  createApiKey: {
    input: inputOf(api.createApiKey, { rules: ApiKeyRulesSchema }),
    value: NewApiKeySchema,
  },
  /** Changes the given settings of a key, and of those it replaces. They apply to what is sponsored with it from now on. */
  updateApiKey: {
    input: inputOf(api.updateApiKey, { rules: ApiKeyRulesSchema }),
    value: ApiKeyRecordSchema,
  },
  /**
   * Replaces an apiKey by a new one; the paymaster's own without an id. Earlier versions are accepted for `graceSeconds`
   * more, with 0 not at all. `TOO_MANY_API_KEYS` when too many would be accepted at the same time.
   */
  rotateApiKey: { input: inputOf(api.rotateApiKey), value: NewApiKeySchema },
  /**
   * Ends an apiKey at once, with those it has replaced. `API_KEY_NOT_FOUND`; `INVALID_FIELD` for the newest of the
   * paymaster's own, which can only be replaced.
   */
  endApiKey: { input: inputOf(api.endApiKey), value: ApiKeyRecordSchema },
  /** Creates or imports a key that signs tickets. Only this answer contains its secret part. */
  createTicketKey: { input: inputOf(ticketKeys.create), value: NewTicketKeySchema },
  /** In the order they were created. */
  listTicketKeys: {
    input: inputOf(ticketKeys.list),
    value: listMessage('TicketKeyList', 'ticketKeys', TicketKeySchema),
  },
  /** Its tickets are refused from then on. `TICKET_KEY_NOT_FOUND`. */
  deleteTicketKey: { input: inputOf(ticketKeys.delete), value: TicketKeySchema },
  /** A new message to sign with the key of the future funding wallet; it replaces the previous message. */
  createFundingMessage: { input: inputOf(funding.createMessage), value: FundingMessageSchema },
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

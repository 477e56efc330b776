import type { Address, Hex } from 'viem';
import type { Owned } from '../access/owned.ts';
import type { ApiKeyRules } from '../keys/api-key-rules.ts';
import type { ApiKeyRecord, ApiKeySettings, NewApiKey, Paymaster, ServedChain } from '../paymaster.ts';
import type { Result } from '../result/result.ts';
import type { NewTicketKey, TicketKey, TicketKeyInput } from '../tickets/ticket-key.ts';

/**
 * Paymasters with their apiKeys, the keys of their tickets and their funding wallets, and the chains they can be on.
 */
export type PaymasterOperations = {
  createPaymaster(input: {
    accountId: string;
    name: string;
    type: string;
    chainId: number;
    version: string;
  }): Promise<Result<Paymaster>>;
  listPaymasters(input: { accountId: string }): Promise<Result<readonly Paymaster[]>>;
  /** Renames a paymaster, or lets it answer nothing until it is resumed. `PAYMASTER_NAME_EXISTS`. */
  updatePaymaster(input: Owned & { name?: string; paused?: boolean }): Promise<Result<Paymaster>>;
  /**
   * Ends a paymaster for good: its other keys end, nothing is signed and nothing of it is changed any more. Books,
   * statements and decisions stay, and what was signed may still land. `name` is its own, so that no other is meant.
   */
  retirePaymaster(input: Owned & { name: string }): Promise<Result<Paymaster>>;
  /** The configured chains, whether they answer now or not. */
  listChains(): Promise<Result<readonly ServedChain[]>>;
  /** The apiKeys of the paymaster that have not ended: its own first, of each key the newest first. */
  listApiKeys(input: Owned): Promise<Result<readonly ApiKeyRecord[]>>;
  /**
   * Makes one more apiKey next to those there are, shown here and never again. `API_KEY_NAME_EXISTS`,
   * `TOO_MANY_API_KEYS`.
   */
  createApiKey(input: Owned & { name: string; rules?: ApiKeyRules }): Promise<Result<NewApiKey>>;
  /** Changes what is given of a key, and of those it replaces: what is sponsored with it from now on follows that. */
  updateApiKey(input: Owned & { apiKeyId: string } & Partial<ApiKeySettings>): Promise<Result<ApiKeyRecord>>;
  /**
   * Makes a new apiKey instead of one, of the paymaster's own without an id; those before it are accepted for
   * `graceSeconds` more and no longer, with 0 no more at all. `TOO_MANY_API_KEYS` when too many would be accepted at
   * the same time.
   */
  rotateApiKey(input: Owned & { graceSeconds: number; apiKeyId?: string }): Promise<Result<NewApiKey>>;
  /**
   * Ends an apiKey at once, with those it has replaced. `API_KEY_NOT_FOUND`; `INVALID_FIELD` for the newest of the
   * paymaster's own, which is to be replaced.
   */
  endApiKey(input: Owned & { apiKeyId: string }): Promise<Result<ApiKeyRecord>>;
  /** Makes or takes a key that signs tickets. What is secret of it is in this answer and never again. */
  createTicketKey(input: Owned & TicketKeyInput): Promise<Result<NewTicketKey>>;
  /** In the order they were made. */
  listTicketKeys(input: Owned): Promise<Result<readonly TicketKey[]>>;
  /** Its tickets are not taken from then on. `TICKET_KEY_NOT_FOUND`. */
  deleteTicketKey(input: Owned & { ticketKeyId: string }): Promise<Result<TicketKey>>;
  /** A new message to sign with the key of the future funding wallet; it replaces the one before. */
  createFundingMessage(input: Owned): Promise<Result<{ fundingMessage: string }>>;
  setFundingWallet(input: Owned & { signature: Hex | string; address: Address | string }): Promise<Result<Paymaster>>;
};

import type { jsonRpcErrors, RpcRefusalReason } from './refusals.ts';

/** An error of the RPC endpoint, one of JSON-RPC itself or a refusal of ours. */
export type RefusalName = RpcRefusalReason | keyof typeof jsonRpcErrors;

/** What the one who met an error of the RPC endpoint can do about it, in general; an answer's own sentence is more exact. */
export const refusalRemedies: Readonly<Record<RefusalName, string>> = {
  parseError: 'Send one JSON text as the body.',
  invalidRequest: 'Send `jsonrpc`, `id` and `method`; split a batch that is too large.',
  methodNotFound: 'Use one of the methods of this endpoint; calls of a node or a bundler go to those.',
  INVALID_PARAMS: 'Send the parameter that `error.data.field` names in the form that the sentence describes.',
  INTERNAL: 'Report the id to the operator, who finds it in the log.',
  UNAUTHORIZED: 'Use the apiKey of a paymaster of this chain; after a rotation the new one.',
  PAYMASTER_PAUSED: 'Ask again when its owner has resumed it, or use another paymaster.',
  PAYMASTER_RETIRED: 'Use another paymaster.',
  KEY_DISABLED: 'Use another apiKey of the paymaster; its owner can enable this one again.',
  ORIGIN_NOT_ALLOWED: 'Ask from a page of the key’s `origins`, or add this one to them.',
  ADDRESS_NOT_ALLOWED: 'Ask from an address of the key’s `networks`, or add this one to them.',
  RPC_METHOD_NOT_ALLOWED: 'Use a method of the key’s `methods`, or add this one to them.',
  ENTRY_POINT_NOT_SUPPORTED: 'Send the form of the paymaster’s EntryPoint, or use a paymaster of another version.',
  CHAIN_NOT_SUPPORTED: 'Use a chain of the service; the operator can configure another one.',
  POLICY_NOT_ACCEPTED:
    'Send a `policyId` of the paymaster that is enabled, or none for the default policy; ids of another service can be ignored by `ignoreForeignPolicyIds` of the policy.',
  NO_POLICIES: 'Register the contracts that may be called, or set `sponsorAllCalls` in the policy.',
  CONTRACT_NOT_REGISTERED: 'Register the contract that the sentence names with its ABI.',
  METHOD_NOT_WHITELISTED: 'Add the method that the sentence names to `whitelistedMethods` of its contract.',
  ARGUMENT_NOT_ALLOWED:
    'Send the argument that the sentence names as it is allowed, or change `callRules` of the policy.',
  CALL_NOT_UNDERSTOOD:
    'Name the right kind of account in `smartAccountInfo`; send canonical calls, no delegate calls and no nesting.',
  ACCOUNT_NOT_KNOWN:
    'The operator can add the `entry` of `error.data` to `accounts` of the chain; else set `accounts` of the policy to `ANY`.',
  SENDER_BLOCKED: 'Change `allowedSenders` or `blockedSenders` of the policy.',
  LIMIT_EXCEEDED:
    'Wait until the limit’s window moves on, or raise the limit; `error.data.limitKind` says of which kind it is.',
  BUDGET_NOT_COUNTED:
    'Try again when the price sources answer and agree; the operator sees which do not. Or delete the budget of the account.',
  GAS_PRICE_TOO_HIGH: 'Send lower fees: the sentence names the field and the highest one that is signed.',
  WEBHOOK_REFUSED: 'Ask who owns the webhook: its log says what it answered.',
  WEBHOOK_UNAVAILABLE:
    'Repair the webhook: it has to answer 200 in time; or set it inactive. With `onFailure` `SPONSOR` its `failureBudget` carries operations while it is down.',
  INSUFFICIENT_FUNDS: 'Deposit into the gas tank from its funding wallet, or wait until open signatures have ended.',
  RATE_LIMITED: 'Wait for as long as `Retry-After` says.',
  ESTIMATION_FAILED: 'Repair what the AA code and the revert reason name: the operation fails on chain as it is.',
  USER_PAYS_SHARE:
    'Ask for a quote in token mode (`ERC20`), then for the signature in the same mode. Or clear `userPaysPercent` of the policy.',
  TOKEN_NOT_SUPPORTED: 'Choose a token of the quotes, or change `tokens` of the policy.',
  TOKEN_PAYMENT_FAILS:
    'Give the account the balance or the allowance that is missing; an approval may be part of the operation.',
  PRICE_UNAVAILABLE: 'Try again when the price sources answer and agree; the operator sees which do not.',
  CHAIN_UNAVAILABLE: 'Try again when a node answers; `/readyz` tells the operator what is wrong.',
  SIGNER_UNAVAILABLE:
    'Send the same request again: what is held for it is used. The operator finds the signer and its fault in `/readyz`.',
  STORE_UNAVAILABLE:
    'Send the same request again after `Retry-After`. The operator finds the fault in the part `store` of `/readyz`.',
  TICKET_REQUIRED: 'Send a ticket: as `ticket` in the context or in `sponsorshipInfo`, or as `authorization: Bearer`.',
  TICKET_MALFORMED: 'Have the backend make the ticket as the sentence says.',
  TICKET_ALGORITHM_NOT_ALLOWED: 'Sign tickets with an `alg` of a registered ticket key.',
  TICKET_KEY_NOT_KNOWN: 'Register the key that signs the tickets, or name a registered one by `kid`.',
  TICKET_SIGNATURE_WRONG: 'Sign the ticket with a registered ticket key, and send it unchanged.',
  TICKET_FOR_ANOTHER: 'Make the ticket for this paymaster: `aud` and `iss` as its ticket key says.',
  TICKET_EXPIRED: 'Get a new ticket.',
  TICKET_NOT_YET_VALID: 'Wait until the ticket begins, or set the clock of whoever makes tickets.',
  TICKET_LIVES_TOO_LONG: 'Make tickets that end sooner.',
  TICKET_NOT_FOR_OPERATION: 'Use the ticket for the sender and the calls that it was made for.',
  TICKET_USED_UP: 'Get a new ticket; what is set aside for operations that do not land is given back.',
  TICKET_KEYS_UNAVAILABLE: 'Try again; the owner of the paymaster repairs the URL of the ticket key.',
};

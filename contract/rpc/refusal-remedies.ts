import type { jsonRpcErrors, RpcRefusalReason } from './refusals.ts';

/** An error of the RPC endpoint, one of JSON-RPC itself or a refusal of ours. */
export type RefusalName = RpcRefusalReason | keyof typeof jsonRpcErrors;

/** How to fix each error of the RPC endpoint, in general. The message of an answer is more specific. */
export const refusalRemedies: Readonly<Record<RefusalName, string>> = {
  parseError: 'Send a JSON text as the body.',
  invalidRequest: 'Send `jsonrpc`, `id` and `method`. Split a batch that is too large.',
  methodNotFound: 'Use a method of this endpoint. Send calls for a node to a node.',
  INVALID_PARAMS: 'Fix the parameter named in `error.data.field` as the message describes.',
  INTERNAL: 'Report the id to the operator, who can find it in the log.',
  UNAUTHORIZED: 'Use the apiKey of a paymaster on this chain. After a rotation, use the new key.',
  PAYMASTER_PAUSED: 'Try again after its owner has resumed it, or use another paymaster.',
  PAYMASTER_RETIRED: 'Use another paymaster.',
  KEY_DISABLED: 'Use another apiKey of the paymaster, or ask its owner to enable this one.',
  ORIGIN_NOT_ALLOWED: 'Send the request from one of the key’s `origins`, or add this origin to them.',
  ADDRESS_NOT_ALLOWED: 'Send the request from one of the key’s `networks`, or add this address to them.',
  RPC_METHOD_NOT_ALLOWED: 'Use one of the key’s `methods`, or add this method to them.',
  ENTRY_POINT_NOT_SUPPORTED:
    'Send the operation in the format of the paymaster’s EntryPoint, or use a paymaster of another version.',
  CHAIN_NOT_SUPPORTED: 'Use a chain the service supports, or ask the operator to add one.',
  POLICY_NOT_ACCEPTED:
    'Send a `policyId` of the paymaster that is enabled, or none for the default policy. To ignore ids of another service, set `ignoreForeignPolicyIds` in the policy.',
  NO_POLICIES: 'Register the contracts that may be called, or set `sponsorAllCalls` in the policy.',
  CONTRACT_NOT_REGISTERED: 'Register the contract named in the message together with its ABI.',
  METHOD_NOT_WHITELISTED: 'Add the method named in the message to `whitelistedMethods` of its contract.',
  ARGUMENT_NOT_ALLOWED:
    'Change the argument named in the message to an allowed value, or change `callRules` in the policy.',
  CALL_NOT_UNDERSTOOD:
    'Name the right type of account in `smartAccountInfo`. Send canonical calls without delegate calls or nesting.',
  ACCOUNT_NOT_KNOWN:
    'The operator can add the `entry` from `error.data` to `accounts` of the chain. Or set `accounts` in the policy to `ANY`.',
  SENDER_BLOCKED: 'Change `allowedSenders` or `blockedSenders` in the policy.',
  LIMIT_EXCEEDED: 'Wait for the limit’s next window, or raise the limit. `error.data.limitKind` gives its type.',
  BUDGET_NOT_COUNTED:
    'Try again when the price sources respond and agree; the operator can see which do not. Or delete the account’s budget.',
  GAS_PRICE_TOO_HIGH: 'Send lower fees. The message names the field and the highest accepted value.',
  WEBHOOK_REFUSED: 'Ask the webhook’s owner. The webhook’s log contains its answer.',
  WEBHOOK_UNAVAILABLE:
    'Fix the webhook, which has to answer 200 in time, or deactivate it. With `onFailure` set to `SPONSOR`, its `failureBudget` covers operations while it is down.',
  INSUFFICIENT_FUNDS: 'Deposit into the gas tank from its funding wallet, or wait until open holds are released.',
  RATE_LIMITED: 'Wait for the time in `Retry-After`.',
  ESTIMATION_FAILED:
    'Fix what the AA code and the revert reason describe. As it is, the operation would fail on chain.',
  USER_PAYS_SHARE:
    'Request a quote in token mode (`ERC20`), then the signature in the same mode. Or clear `userPaysPercent` in the policy.',
  RELAY_REQUIRED:
    'Send the operation without fees and paymaster with `eth_sendUserOperation`. Or set `relay` in the policy to `PREFER` or `NEVER`.',
  RELAY_NOT_ALLOWED:
    'Ask for paymaster data and send the operation with it. Or set `relay` in the policy to `PREFER` or `ONLY`.',
  TOKEN_NOT_SUPPORTED: 'Choose a token from the quotes, or change `tokens` in the policy.',
  TOKEN_PAYMENT_FAILS: 'Give the account the missing balance or allowance. An approval may be part of the operation.',
  PRICE_UNAVAILABLE: 'Try again when the price sources respond and agree. The operator can see which do not.',
  CHAIN_UNAVAILABLE: 'Try again when a node responds. `/readyz` shows the operator what is wrong.',
  SIGNER_UNAVAILABLE:
    'Send the same request again; its hold is reused. `/readyz` shows the operator the failing signer.',
  STORE_UNAVAILABLE:
    'Send the same request again after `Retry-After`. The part `store` of `/readyz` shows the operator what is wrong.',
  BUNDLER_NOT_OFFERED: 'Send operations to a bundler. The operator can offer one here with `bundler.expose`.',
  OPERATION_NOT_SIGNED:
    'Have the operation signed with `pm_getPaymasterData` and the same apiKey, send it unchanged, and before the signature ends. With `bundler.expose` set to `ANY` by the operator, others are taken too.',
  OPERATION_PENDING:
    'Wait until the other operation has landed or ended, as the message says. Or use another nonce key.',
  BUNDLER_REFUSED: 'Fix what the code (ERC-7769) and the message of the bundler describe.',
  BUNDLER_UNAVAILABLE:
    'Try again. Before you send an operation again, look it up with `eth_getUserOperationReceipt`: the bundler may have taken it. `/readyz` shows the operator what is wrong.',
  TICKET_REQUIRED: 'Send a ticket: as `ticket` in the context or in `sponsorshipInfo`, or as `authorization: Bearer`.',
  TICKET_MALFORMED: 'Let your backend create the ticket as the message describes.',
  TICKET_ALGORITHM_NOT_ALLOWED: 'Sign tickets with an `alg` of a registered ticket key.',
  TICKET_KEY_NOT_KNOWN: 'Register the key that signs the tickets, or name a registered one by `kid`.',
  TICKET_SIGNATURE_WRONG: 'Sign the ticket with a registered ticket key, and send it unchanged.',
  TICKET_FOR_ANOTHER: 'Create the ticket for this paymaster, with the `aud` and `iss` of its ticket key.',
  TICKET_EXPIRED: 'Get a new ticket.',
  TICKET_NOT_YET_VALID: 'Wait until the ticket is valid, or correct the clock of the server that creates tickets.',
  TICKET_LIVES_TOO_LONG: 'Create tickets with a shorter lifetime.',
  TICKET_NOT_FOR_OPERATION: 'Use the ticket for the sender and the calls it was created for.',
  TICKET_USED_UP: 'Get a new ticket. Holds of operations that do not land are given back.',
  TICKET_KEYS_UNAVAILABLE: 'Try again. If it persists, the paymaster’s owner has to fix the URL of the ticket key.',
};

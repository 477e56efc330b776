import { z } from 'zod';
import type { FixItem } from '../fix.ts';
import { omitAbsent } from '../omit-absent.ts';
import { bundlerMethodNames } from './bundler-methods.ts';
import type { LimitKind } from './limit-kinds.ts';
import { namesEntryPoint, pmSponsorUserOperationByEntryPoint } from './pm-sponsor-user-operation.ts';

/** Tokens the user may pay in. */
export const TokenOffersSchema = z
  .array(z.object({ address: z.string(), symbol: z.string(), decimals: z.int() }))
  .describe('The tokens that the user may pay in instead.');

/**
 * Data of a refusal for a used-up limit if the policy lets the user pay (`thenPayInToken`): the tokens, and how to
 * request a quote.
 */
export const ThenPayInTokenSchema = z.object({
  ask: z
    .object({ method: z.string(), mode: z.literal('ERC20') })
    .describe('How to get a quote in a token: the method, and the `mode` of its context.'),
  tokens: TokenOffersSchema,
});
export type ThenPayInToken = z.infer<typeof ThenPayInTokenSchema>;

/**
 * How one kind of refusal is answered: JSON-RPC code, HTTP status, what it means and how to fix it. The sentences of the
 * remedy are read in the API, in the dashboard and at a terminal, so they name no path and no command. `fix` says what
 * to change, and each place shows it in its own way: a command, a page, a path.
 */
export type RpcRefusal = {
  readonly code: number;
  readonly httpStatus: number;
  readonly meaning: string;
  /** In general, as Markdown. */
  readonly remedy: string;
  /** For one refusal, from its details and the field at fault, as plain text. Without them `remedy` holds. */
  readonly remedyFor?: (details: RefusalDetails, field?: string) => string | undefined;
  /** What the owner or the operator does, in general. Absent if only the application can do something. */
  readonly fix?: FixItem;
  /** For one refusal, from its details. Undefined if only the application can do something. Without it `fix` holds. */
  readonly fixFor?: (details: RefusalDetails, limitKind?: LimitKind) => FixItem | undefined;
};
type RefusalDetails = Readonly<Record<string, string | undefined>>;

/** `path` of the field in the policy: the fields of the policy itself are what people change. */
function changePolicy(path: string): FixItem {
  return { action: 'change-policy', policyField: path.split('.', 1)[0] ?? path };
}

function policyOf(path: string | undefined): FixItem | undefined {
  return path === undefined ? undefined : changePolicy(path);
}

function calledIn({ target, selector }: RefusalDetails): Pick<FixItem, 'target' | 'selector'> {
  return omitAbsent({ target, selector });
}

function fixLimit({ limit }: RefusalDetails, kind: LimitKind | undefined): FixItem | undefined {
  switch (kind) {
    case 'POLICY_CAP':
    case 'PERIOD':
      return limit === undefined ? undefined : changePolicy(limit);
    case 'SCHEDULE':
      return changePolicy('pauses');
    case 'POLICY_LIMIT':
      return changePolicy('limits');
    case 'KEY_LIMIT':
      return { action: 'change-key-limits' };
    case 'ACCOUNT_BUDGET':
      return { action: 'change-budget' };
    default:
      return undefined;
  }
}

/** The part of the service that fails is shown to the operator. */
const operatorLooks: FixItem = { action: 'look-at-status' };
const ticketKeys: FixItem = { action: 'look-at-ticket-keys' };
const whitelistMethod: FixItem = { action: 'whitelist-method' };

/** Of a method that its contract cannot whitelist. */
const cannotBeSponsored =
  'The method cannot be sponsored. View methods cost no gas, so there is nothing to sponsor. Leave the call out of the operation.';

/** Codes with several reasons. */
const ofKey = { code: -32011, httpStatus: 401 } as const;
const byRules = { code: -32013, httpStatus: 422 } as const;
const ofToken = { code: -32017, httpStatus: 422 } as const;
const unavailable = { code: -32018, httpStatus: 503 } as const;
const ofTicket = { code: -32019, httpStatus: 422 } as const;

/**
 * Refusals of the sponsorship methods by `error.data.reason`. Codes and reasons are stable. Codes with a meaning in
 * EIP-1474 (-32000 to -32006), or that clients attribute to another service (-32007), are avoided: clients would show
 * that meaning instead of our message. Only `RATE_LIMITED` uses the code of EIP-1474. Clients search two explanations
 * for a text before they let the user pay: `NO_POLICIES` contains `No policies were set`, `CONTRACT_NOT_REGISTERED`
 * contains `Smart contract data not found`.
 */
export const rpcRefusals = {
  INVALID_PARAMS: {
    code: -32602,
    httpStatus: 400,
    meaning: 'A parameter is missing or invalid. `field` names it.',
    remedy: 'Fix the parameter that the message names.',
  },
  INTERNAL: {
    code: -32603,
    httpStatus: 500,
    meaning: 'An internal error. The id identifies it in the service’s log.',
    remedy: 'Report the id to the operator, who can find it in the log.',
  },
  UNAUTHORIZED: {
    ...ofKey,
    meaning: 'The apiKey is unknown, has ended, or belongs to another chain.',
    remedy: 'Use the apiKey of a paymaster on this chain. After a rotation, use the new key.',
  },
  PAYMASTER_PAUSED: {
    ...byRules,
    meaning: 'The paymaster’s owner has paused it.',
    remedy: 'Try again after its owner has resumed it, or use another paymaster.',
    fix: { action: 'resume-paymaster' },
  },
  PAYMASTER_RETIRED: {
    ...byRules,
    meaning: 'The paymaster is retired.',
    remedy: 'Use another paymaster.',
    fix: { action: 'create-paymaster' },
  },
  KEY_DISABLED: {
    ...ofKey,
    meaning: 'The apiKey’s owner has disabled it.',
    remedy: 'Use another apiKey of the paymaster, or ask its owner to enable this one.',
    remedyFor: ({ key }) => key && `Enable ${key}, or use another apiKey of the paymaster.`,
    fix: { action: 'enable-key' },
  },
  ORIGIN_NOT_ALLOWED: {
    ...ofKey,
    meaning: 'The apiKey does not allow requests from this page.',
    remedy: 'Send the request from one of the key’s `origins`, or add this origin to them.',
    remedyFor: ({ key }) => key && `Add the origin to those of ${key}, or use another apiKey.`,
    fix: { action: 'change-key-origins' },
  },
  ADDRESS_NOT_ALLOWED: {
    ...ofKey,
    meaning: 'The apiKey does not allow requests from this address.',
    remedy: 'Send the request from one of the key’s `networks`, or add this address to them.',
    remedyFor: ({ key }) => key && `Add the address to the networks of ${key}, or use another apiKey.`,
    fix: { action: 'change-key-networks' },
  },
  RPC_METHOD_NOT_ALLOWED: {
    ...ofKey,
    meaning: 'The apiKey does not allow this method.',
    remedy: 'Use one of the key’s `methods`, or add this method to them.',
    remedyFor: ({ key }) => key && `Add the method to those of ${key}, or use another apiKey.`,
    fix: { action: 'change-key-methods' },
  },
  ENTRY_POINT_NOT_SUPPORTED: {
    code: -32012,
    httpStatus: 422,
    meaning: 'The operation has the format of another EntryPoint.',
    remedy: 'Send the operation in the format of the paymaster’s EntryPoint, or use a paymaster of another version.',
  },
  CHAIN_NOT_SUPPORTED: {
    code: -32012,
    httpStatus: 422,
    meaning: 'The service does not serve this chain.',
    remedy: 'Use a chain the service supports, or ask the operator to add one.',
  },
  POLICY_NOT_ACCEPTED: {
    ...byRules,
    meaning: 'The request names a policy that the paymaster does not have or that is disabled.',
    remedy:
      'Send a `policyId` of the paymaster that is enabled, or none for the default policy. To ignore ids of another service, set `ignoreForeignPolicyIds` in the policy.',
    fix: { action: 'look-at-policies' },
  },
  NO_POLICIES: {
    ...byRules,
    meaning: 'The paymaster has no registered contract.',
    remedy: 'Register the contracts that may be called, or set `sponsorAllCalls` in the policy.',
    fixFor: (details) => ({ action: 'register-contract', ...calledIn(details) }),
  },
  CONTRACT_NOT_REGISTERED: {
    ...byRules,
    meaning: 'A call goes to a contract that is not registered.',
    remedy: 'Register the contract named in the message together with its ABI.',
    remedyFor: ({ target }) => target && `Register ${target}, or set sponsorAllCalls in the policy.`,
    fixFor: (details) => ({ action: 'register-contract', ...calledIn(details) }),
  },
  METHOD_NOT_WHITELISTED: {
    ...byRules,
    meaning: 'A call uses a method that is not whitelisted.',
    remedy: 'Add the method named in the message to those that its contract sponsors.',
    remedyFor: ({ target, selector, policy, mutability }) =>
      (policy && `Set ${policy} in the policy.`) ??
      (mutability && cannotBeSponsored) ??
      (target &&
        (selector === undefined
          ? 'Send the data of a whitelisted method, or set sponsorAllCalls in the policy.'
          : `Add the method to the sponsored methods of ${target}.`)),
    fix: whitelistMethod,
    fixFor: ({ policy, mutability, ...details }) => {
      if (policy !== undefined) return changePolicy(policy);
      if (mutability !== undefined) return undefined;
      // A plain coin transfer has no method.
      const change = details.selector === undefined ? changePolicy('sponsorAllCalls') : whitelistMethod;
      return { ...change, ...calledIn(details) };
    },
  },
  ARGUMENT_NOT_ALLOWED: {
    ...byRules,
    meaning: 'The policy’s rules do not allow an argument of a call.',
    remedy: 'Change the argument named in the message to an allowed value, or change `callRules` in the policy.',
    remedyFor: ({ argument }) =>
      argument && `Change ${argument} to an allowed value, or change callRules of the policy.`,
    fixFor: (details) => ({ ...changePolicy('callRules'), ...calledIn(details) }),
  },
  CALL_NOT_UNDERSTOOD: {
    ...byRules,
    meaning: 'The call data could not be read with certainty.',
    remedy:
      'Send canonical calls without delegate calls or nesting. Name the type of the account in `smartAccountInfo` if its code is not known.',
  },
  ACCOUNT_NOT_KNOWN: {
    ...byRules,
    meaning: 'The sender’s code, or its factory, is not known.',
    remedy: 'The operator can make the code of the account known. Or set `accounts` in the policy to `ANY`.',
    remedyFor: ({ codeHash, setting, entry }) =>
      setting &&
      `The operator can add ${entry ?? codeHash} to ${entry === undefined ? setting : 'accounts'} of the chain. Otherwise set accounts of the policy to ANY.`,
    fix: changePolicy('accounts'),
  },
  SENDER_BLOCKED: {
    ...byRules,
    meaning: 'The sender is not sponsored.',
    remedy: 'Change `allowedSenders` or `blockedSenders` in the policy.',
    fixFor: ({ list, policy }) => policyOf(list ?? policy),
  },
  LIMIT_EXCEEDED: {
    ...byRules,
    meaning: 'A spending limit would be exceeded. `limitKind` gives its type.',
    remedy: 'Wait for the limit’s next window, or raise the limit.',
    remedyFor: ({ frees }) => frees,
    fixFor: fixLimit,
  },
  BUDGET_NOT_COUNTED: {
    ...unavailable,
    meaning: 'The account has a budget in USD, but the operation’s cost in USD is not known.',
    remedy:
      'Try again when the price sources respond and agree; the operator can see which do not. Or delete the account’s budget.',
    fix: operatorLooks,
  },
  GAS_PRICE_TOO_HIGH: {
    ...byRules,
    meaning: 'The gas price is above the ceiling.',
    remedy: 'Send lower fees. The message names the field and the highest accepted value.',
    // A relayed operation has no fees.
    remedyFor: ({ ceiling }, field) =>
      ceiling &&
      (field === undefined
        ? `Wait until the chain is cheaper, or have the ceiling of ${ceiling} wei raised.`
        : `Send ${field} of at most ${ceiling} wei.`),
  },
  WEBHOOK_REFUSED: {
    ...byRules,
    meaning: 'A webhook refused the operation.',
    remedy: 'Ask the webhook’s owner. The webhook’s log contains its answer.',
    fixFor: ({ webhookId }) => ({ action: 'look-at-webhook', ...omitAbsent({ webhookId }) }),
  },
  WEBHOOK_UNAVAILABLE: {
    ...byRules,
    meaning: 'A webhook gave no usable answer in time.',
    remedy: 'Fix the webhook, which has to answer 200 in time, or deactivate it.',
    fixFor: ({ webhookId }) => ({ action: 'look-at-webhook', ...omitAbsent({ webhookId }) }),
  },
  INSUFFICIENT_FUNDS: {
    code: -32014,
    httpStatus: 422,
    meaning: 'The gas tank cannot pay for the operation.',
    remedy: 'Deposit into the gas tank from its funding wallet, or wait until open holds are released.',
    remedyFor: ({ needed }) => needed && `Deposit from the funding wallet until ${needed} wei are available.`,
    fixFor: ({ needed: neededWei }) => ({ action: 'deposit', ...omitAbsent({ neededWei }) }),
  },
  RATE_LIMITED: {
    code: -32005,
    httpStatus: 429,
    meaning: 'Too many requests. Wait for the time in Retry-After.',
    remedy: 'Try again shortly. If there is a `Retry-After`, wait for that time.',
    fixFor: ({ key }) => (key === undefined ? undefined : { action: 'change-key-rate' }),
  },
  ESTIMATION_FAILED: {
    code: -32016,
    httpStatus: 422,
    meaning: 'The operation would fail on chain.',
    remedy:
      'Fix what the message describes: an AA code, or the revert of a call. As it is, the operation would fail on chain.',
    remedyFor: ({ aaCode, missing, revert }) =>
      missing === 'factory'
        ? 'Use the factory of the account on this chain, or send the operation to the chain that it is for.'
        : ((aaCode && `Fix what ${aaCode} describes. As it is, the operation would fail on chain.`) ??
          (revert && 'Fix the call that reverts: its arguments, or what it needs on chain.')),
  },
  USER_PAYS_SHARE: {
    ...ofToken,
    meaning: 'Under this policy users pay part of the gas in a token, but the request asks for free gas.',
    remedy:
      'Request a quote in token mode (`ERC20`), then the signature in the same mode. Or clear `userPaysPercent` in the policy.',
    fix: changePolicy('userPaysPercent'),
  },
  RELAY_REQUIRED: {
    ...byRules,
    meaning: 'The policy only relays operations, but the request asks for paymaster data.',
    remedy:
      'Send the operation without fees and paymaster with `eth_sendUserOperation`. Or set `relay` in the policy to `PREFER` or `NEVER`.',
    fix: changePolicy('relay'),
  },
  RELAY_NOT_ALLOWED: {
    ...byRules,
    meaning: 'The policy does not relay operations.',
    remedy:
      'Ask for paymaster data and send the operation with it. Or set `relay` in the policy to `PREFER` or `ONLY`.',
    fix: changePolicy('relay'),
  },
  TOKEN_NOT_SUPPORTED: {
    ...ofToken,
    meaning: 'The token is not accepted.',
    remedy: 'Choose a token from the quotes, or change `tokens` in the policy.',
    remedyFor: ({ policy }) => policy && `Change ${policy} of the policy, or choose one of the tokens that it accepts.`,
    fixFor: ({ policy }) => policyOf(policy),
  },
  TOKEN_PAYMENT_FAILS: {
    ...ofToken,
    meaning: 'The user’s tokens could not be collected.',
    remedy: 'Give the account the missing balance or allowance. An approval may be part of the operation.',
    remedyFor: ({ lacks }) =>
      lacks && `Give the account a higher ${lacks} of the token. An approval may be part of the operation.`,
  },
  PRICE_UNAVAILABLE: {
    ...unavailable,
    meaning: 'There is no current price that the sources agree on.',
    remedy: 'Try again when the price sources respond and agree. The operator can see which do not.',
    fix: operatorLooks,
  },
  CHAIN_UNAVAILABLE: {
    ...unavailable,
    meaning: 'The chain’s node does not respond.',
    remedy: 'Try again when a node responds. The operator can see what is wrong.',
    fix: operatorLooks,
  },
  SIGNER_UNAVAILABLE: {
    ...unavailable,
    meaning: 'The signer does not respond.',
    remedy: 'Send the same request again; its hold is reused. The operator can see which signer fails.',
    fix: operatorLooks,
  },
  STORE_UNAVAILABLE: {
    ...unavailable,
    meaning:
      'The database, or the core that uses it, does not respond or cannot write. Retry-After gives the time to wait.',
    remedy: 'Send the same request again after `Retry-After`. The operator can see what is wrong.',
    fix: operatorLooks,
  },
  BUNDLER_NOT_OFFERED: {
    code: -32601,
    httpStatus: 404,
    meaning: 'The service does not offer bundler methods on this chain.',
    remedy: 'Send operations to a bundler. The operator can offer one here with `bundler.expose`.',
  },
  OPERATION_NOT_SIGNED: {
    ...byRules,
    meaning: 'The operation is not one that this paymaster has signed, and no other is taken here.',
    remedy:
      'Have the operation signed with `pm_getPaymasterData` and the same apiKey, send it unchanged, and before the signature ends. With `bundler.expose` set to `ANY` by the operator, others are taken too.',
  },
  OPERATION_PENDING: {
    ...byRules,
    meaning: 'An operation with this nonce is already sponsored the other way: relayed, or by a paymaster contract.',
    remedy: 'Wait until the other operation has landed or ended, as the message says. Or use another nonce key.',
  },
  BUNDLER_REFUSED: {
    code: -32500,
    httpStatus: 422,
    meaning:
      'The bundler does not take the operation. Code and message are the bundler’s own; the code is one of ERC-7769, -32500 to -32521, or -32602.',
    remedy: 'Fix what the code (ERC-7769) and the message of the bundler describe.',
  },
  BUNDLER_UNAVAILABLE: {
    ...unavailable,
    meaning: 'The bundler does not respond, or its answer is not valid.',
    remedy:
      'Try again. Before you send an operation again, look it up with `eth_getUserOperationReceipt`: the bundler may have taken it. The operator can see what is wrong.',
    fix: operatorLooks,
  },
  TICKET_REQUIRED: {
    ...ofTicket,
    meaning: 'The policy asks for a ticket, and none was sent.',
    remedy: 'Send a ticket: as `ticket` in the context or in `sponsorshipInfo`, or as `authorization: Bearer`.',
  },
  TICKET_MALFORMED: {
    ...ofTicket,
    meaning: 'The ticket is not a signed JWT, or one of its claims is malformed.',
    remedy: 'Let your backend create the ticket as the message describes.',
  },
  TICKET_ALGORITHM_NOT_ALLOWED: {
    ...ofTicket,
    meaning: 'The ticket’s `alg` is not used by any of the paymaster’s ticket keys. `none` is never accepted.',
    remedy: 'Sign tickets with an `alg` of a registered ticket key.',
    fix: ticketKeys,
  },
  TICKET_KEY_NOT_KNOWN: {
    ...ofTicket,
    meaning: 'No ticket key of the paymaster matches the ticket’s `kid` and `iss`.',
    remedy: 'Register the key that signs the tickets, or name a registered one by `kid`.',
    fix: ticketKeys,
  },
  TICKET_SIGNATURE_WRONG: {
    ...ofTicket,
    meaning: 'The ticket’s signature does not match its key.',
    remedy: 'Sign the ticket with a registered ticket key, and send it unchanged.',
    fix: ticketKeys,
  },
  TICKET_FOR_ANOTHER: {
    ...ofTicket,
    meaning: 'The ticket’s `aud` or `iss` belongs to another paymaster.',
    remedy: 'Create the ticket for this paymaster, with the `aud` and `iss` of its ticket key.',
    fix: ticketKeys,
  },
  TICKET_EXPIRED: {
    ...ofTicket,
    meaning: 'The ticket’s `exp` has passed.',
    remedy: 'Get a new ticket.',
  },
  TICKET_NOT_YET_VALID: {
    ...ofTicket,
    meaning: 'The ticket’s `nbf` or `iat` is in the future.',
    remedy: 'Wait until the ticket is valid, or correct the clock of the server that creates tickets.',
  },
  TICKET_LIVES_TOO_LONG: {
    ...ofTicket,
    meaning: 'The ticket’s `exp` is too far in the future.',
    remedy: 'Create tickets with a shorter lifetime.',
  },
  TICKET_NOT_FOR_OPERATION: {
    ...ofTicket,
    meaning: 'The ticket is for another sender or other calls.',
    remedy: 'Use the ticket for the sender and the calls it was created for.',
  },
  TICKET_USED_UP: {
    ...ofTicket,
    meaning: 'The ticket has no use left, or not enough of its budget.',
    remedy: 'Get a new ticket. Holds of operations that do not land are given back.',
    remedyFor: ({ frees }) => frees,
  },
  TICKET_KEYS_UNAVAILABLE: {
    ...unavailable,
    meaning: 'The ticket keys cannot be fetched.',
    remedy: 'Try again. If it persists, the paymaster’s owner has to fix the URL of the ticket key.',
    fix: ticketKeys,
  },
} as const satisfies Record<string, RpcRefusal>;
export type RpcRefusalReason = keyof typeof rpcRefusals;

/**
 * Methods whose clients expect errors inside an HTTP 200: ERC-7677 and its extensions, methods that libraries call first,
 * and bundler methods.
 */
const methodsAnsweredWith200: ReadonlySet<string> = new Set([
  'pm_getPaymasterStubData',
  'pm_getPaymasterData',
  'zd_sponsorUserOperation',
  'pm_supportedEntryPoints',
  'pimlico_getTokenQuotes',
  'pimlico_getSupportedTokens',
  'pm_supportedERC20Tokens',
  'pm_validateSponsorshipPolicies',
  'pm_chainId',
  'eth_chainId',
  ...bundlerMethodNames,
]);

/** Whether errors of this request appear in the HTTP status, as the clients of this interface require. */
export function errorsShowInHttpStatus(request: { readonly method: string; readonly params?: unknown }): boolean {
  if (request.method === pmSponsorUserOperationByEntryPoint.method) return !namesEntryPoint(request.params);
  return !methodsAnsweredWith200.has(request.method);
}

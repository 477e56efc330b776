import { z } from 'zod';
import { bundlerMethodNames } from './bundler-methods.ts';
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

/** How a kind of refusal is answered: JSON-RPC code, HTTP status, and what it means. */
export type RpcRefusal = { readonly code: number; readonly httpStatus: number; readonly meaning: string };

/** Errors that JSON-RPC itself defines. */
export const jsonRpcErrors = {
  parseError: { code: -32700, httpStatus: 400, meaning: 'The body is not valid JSON.' },
  invalidRequest: { code: -32600, httpStatus: 400, meaning: 'Not a JSON-RPC request, or a batch that is too large.' },
  methodNotFound: { code: -32601, httpStatus: 404, meaning: 'The method does not exist.' },
} as const satisfies Record<string, RpcRefusal>;

/**
 * Refusals of the sponsorship methods by `error.data.reason`. Codes and reasons are stable. Codes with a meaning in
 * EIP-1474 (-32000 to -32006), or that clients attribute to another service (-32007), are avoided: clients would show
 * that meaning instead of our message. Only `RATE_LIMITED` uses the code of EIP-1474. Clients search two explanations
 * for a text before they let the user pay: `NO_POLICIES` contains `No policies were set`, `CONTRACT_NOT_REGISTERED`
 * contains `Smart contract data not found`.
 */
export const rpcRefusals = {
  INVALID_PARAMS: { code: -32602, httpStatus: 400, meaning: 'A parameter is missing or invalid. `field` names it.' },
  INTERNAL: { code: -32603, httpStatus: 500, meaning: 'An internal error. The id identifies it in the service’s log.' },
  UNAUTHORIZED: {
    code: -32011,
    httpStatus: 401,
    meaning: 'The apiKey is unknown, has ended, or belongs to another chain.',
  },
  PAYMASTER_PAUSED: { code: -32013, httpStatus: 422, meaning: 'The paymaster’s owner has paused it.' },
  PAYMASTER_RETIRED: { code: -32013, httpStatus: 422, meaning: 'The paymaster is retired.' },
  KEY_DISABLED: { code: -32011, httpStatus: 401, meaning: 'The apiKey’s owner has disabled it.' },
  ORIGIN_NOT_ALLOWED: { code: -32011, httpStatus: 401, meaning: 'The apiKey does not allow requests from this page.' },
  ADDRESS_NOT_ALLOWED: {
    code: -32011,
    httpStatus: 401,
    meaning: 'The apiKey does not allow requests from this address.',
  },
  RPC_METHOD_NOT_ALLOWED: { code: -32011, httpStatus: 401, meaning: 'The apiKey does not allow this method.' },
  ENTRY_POINT_NOT_SUPPORTED: {
    code: -32012,
    httpStatus: 422,
    meaning: 'The operation has the format of another EntryPoint.',
  },
  CHAIN_NOT_SUPPORTED: { code: -32012, httpStatus: 422, meaning: 'The service does not serve this chain.' },
  POLICY_NOT_ACCEPTED: {
    code: -32013,
    httpStatus: 422,
    meaning: 'The request names a policy that the paymaster does not have or that is disabled.',
  },
  NO_POLICIES: { code: -32013, httpStatus: 422, meaning: 'The paymaster has no registered contract.' },
  CONTRACT_NOT_REGISTERED: {
    code: -32013,
    httpStatus: 422,
    meaning: 'A call goes to a contract that is not registered.',
  },
  METHOD_NOT_WHITELISTED: { code: -32013, httpStatus: 422, meaning: 'A call uses a method that is not whitelisted.' },
  ARGUMENT_NOT_ALLOWED: {
    code: -32013,
    httpStatus: 422,
    meaning: 'The policy’s rules do not allow an argument of a call.',
  },
  CALL_NOT_UNDERSTOOD: { code: -32013, httpStatus: 422, meaning: 'The call data could not be read with certainty.' },
  ACCOUNT_NOT_KNOWN: {
    code: -32013,
    httpStatus: 422,
    meaning: 'The sender’s code, or its factory, is not known.',
  },
  SENDER_BLOCKED: { code: -32013, httpStatus: 422, meaning: 'The sender is not sponsored.' },
  LIMIT_EXCEEDED: { code: -32013, httpStatus: 422, meaning: 'A spending limit would be exceeded.' },
  BUDGET_NOT_COUNTED: {
    code: -32018,
    httpStatus: 503,
    meaning: 'The account has a budget in USD, but the operation’s cost in USD is not known.',
  },
  GAS_PRICE_TOO_HIGH: { code: -32013, httpStatus: 422, meaning: 'The gas price is above the ceiling.' },
  WEBHOOK_REFUSED: { code: -32013, httpStatus: 422, meaning: 'A webhook refused the operation.' },
  WEBHOOK_UNAVAILABLE: { code: -32013, httpStatus: 422, meaning: 'A webhook gave no usable answer in time.' },
  INSUFFICIENT_FUNDS: { code: -32014, httpStatus: 422, meaning: 'The gas tank cannot pay for the operation.' },
  RATE_LIMITED: { code: -32005, httpStatus: 429, meaning: 'Too many requests. Wait for the time in Retry-After.' },
  ESTIMATION_FAILED: { code: -32016, httpStatus: 422, meaning: 'The operation would fail on chain.' },
  USER_PAYS_SHARE: {
    code: -32017,
    httpStatus: 422,
    meaning: 'Under this policy users pay part of the gas in a token, but the request asks for free gas.',
  },
  RELAY_REQUIRED: {
    code: -32013,
    httpStatus: 422,
    meaning: 'The policy only relays operations, but the request asks for paymaster data.',
  },
  RELAY_NOT_ALLOWED: { code: -32013, httpStatus: 422, meaning: 'The policy does not relay operations.' },
  TOKEN_NOT_SUPPORTED: { code: -32017, httpStatus: 422, meaning: 'The token is not accepted.' },
  TOKEN_PAYMENT_FAILS: { code: -32017, httpStatus: 422, meaning: 'The user’s tokens could not be collected.' },
  PRICE_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'There is no current price that the sources agree on.' },
  CHAIN_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'The chain’s node does not respond.' },
  SIGNER_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'The signer does not respond.' },
  STORE_UNAVAILABLE: {
    code: -32018,
    httpStatus: 503,
    meaning:
      'The database, or the core that uses it, does not respond or cannot write. Retry-After gives the time to wait.',
  },
  BUNDLER_NOT_OFFERED: {
    code: -32601,
    httpStatus: 404,
    meaning: 'The service does not offer bundler methods on this chain.',
  },
  OPERATION_NOT_SIGNED: {
    code: -32013,
    httpStatus: 422,
    meaning: 'The operation is not one that this paymaster has signed, and no other is taken here.',
  },
  OPERATION_PENDING: {
    code: -32013,
    httpStatus: 422,
    meaning: 'An operation with this nonce is already sponsored the other way: relayed, or by a paymaster contract.',
  },
  BUNDLER_REFUSED: {
    code: -32500,
    httpStatus: 422,
    meaning:
      'The bundler does not take the operation. Code and message are the bundler’s own; the code is one of ERC-7769, -32500 to -32521, or -32602.',
  },
  BUNDLER_UNAVAILABLE: {
    code: -32018,
    httpStatus: 503,
    meaning: 'The bundler does not respond, or its answer is not valid.',
  },
  TICKET_REQUIRED: { code: -32019, httpStatus: 422, meaning: 'The policy asks for a ticket, and none was sent.' },
  TICKET_MALFORMED: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket is not a signed JWT, or one of its claims is malformed.',
  },
  TICKET_ALGORITHM_NOT_ALLOWED: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket’s `alg` is not used by any of the paymaster’s ticket keys. `none` is never accepted.',
  },
  TICKET_KEY_NOT_KNOWN: {
    code: -32019,
    httpStatus: 422,
    meaning: 'No ticket key of the paymaster matches the ticket’s `kid` and `iss`.',
  },
  TICKET_SIGNATURE_WRONG: { code: -32019, httpStatus: 422, meaning: 'The ticket’s signature does not match its key.' },
  TICKET_FOR_ANOTHER: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket’s `aud` or `iss` belongs to another paymaster.',
  },
  TICKET_EXPIRED: { code: -32019, httpStatus: 422, meaning: 'The ticket’s `exp` has passed.' },
  TICKET_NOT_YET_VALID: { code: -32019, httpStatus: 422, meaning: 'The ticket’s `nbf` or `iat` is in the future.' },
  TICKET_LIVES_TOO_LONG: { code: -32019, httpStatus: 422, meaning: 'The ticket’s `exp` is too far in the future.' },
  TICKET_NOT_FOR_OPERATION: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket is for another sender or other calls.',
  },
  TICKET_USED_UP: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket has no use left, or not enough of its budget.',
  },
  TICKET_KEYS_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'The ticket keys cannot be fetched.' },
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

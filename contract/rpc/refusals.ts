import { namesEntryPoint, pmSponsorUserOperationByEntryPoint } from './pm-sponsor-user-operation-by-entry-point.ts';

/** How one kind of refusal is answered: JSON-RPC code, HTTP status, and what it means. */
export type RpcRefusal = { readonly code: number; readonly httpStatus: number; readonly meaning: string };

/** Errors that JSON-RPC itself defines. */
export const jsonRpcErrors = {
  parseError: { code: -32700, httpStatus: 400, meaning: 'The body is not valid JSON.' },
  invalidRequest: { code: -32600, httpStatus: 400, meaning: 'Not a JSON-RPC request, or a batch that is too large.' },
  methodNotFound: { code: -32601, httpStatus: 404, meaning: 'There is no such method.' },
} as const satisfies Record<string, RpcRefusal>;

/**
 * Refusals of the sponsorship methods by `error.data.reason`. Codes and reasons are stable. None is a code that EIP-1474
 * has given a meaning (-32000 to -32006) or that clients read as another service's (-32007), since they show that meaning
 * instead of our sentence; only `RATE_LIMITED` means what EIP-1474 says. Two explanations hold a text
 * that clients look for to let the user pay instead: `NO_POLICIES` holds `No policies were set`,
 * `CONTRACT_NOT_REGISTERED` holds `Smart contract data not found`.
 */
export const rpcRefusals = {
  INVALID_PARAMS: { code: -32602, httpStatus: 400, meaning: 'A parameter is missing or wrong; `field` names it.' },
  INTERNAL: { code: -32603, httpStatus: 500, meaning: 'A fault of the service; the id finds it in its log.' },
  UNAUTHORIZED: { code: -32011, httpStatus: 401, meaning: 'The apiKey is unknown, has ended, or is of another chain.' },
  PAYMASTER_PAUSED: { code: -32013, httpStatus: 422, meaning: 'The paymaster’s owner has paused it.' },
  PAYMASTER_RETIRED: { code: -32013, httpStatus: 422, meaning: 'The paymaster has ended.' },
  KEY_DISABLED: { code: -32011, httpStatus: 401, meaning: 'The apiKey’s owner has disabled it.' },
  ORIGIN_NOT_ALLOWED: { code: -32011, httpStatus: 401, meaning: 'The apiKey is not for requests from this page.' },
  ADDRESS_NOT_ALLOWED: { code: -32011, httpStatus: 401, meaning: 'The apiKey is not for requests from this address.' },
  RPC_METHOD_NOT_ALLOWED: { code: -32011, httpStatus: 401, meaning: 'The apiKey is not for this method.' },
  ENTRY_POINT_NOT_SUPPORTED: {
    code: -32012,
    httpStatus: 422,
    meaning: 'The operation has the form of another EntryPoint.',
  },
  CHAIN_NOT_SUPPORTED: { code: -32012, httpStatus: 422, meaning: 'The service does not serve this chain.' },
  POLICY_NOT_ACCEPTED: {
    code: -32013,
    httpStatus: 422,
    meaning: 'The request names a policy that the paymaster does not have, or that is closed.',
  },
  NO_POLICIES: { code: -32013, httpStatus: 422, meaning: 'The paymaster has no registered contract.' },
  CONTRACT_NOT_REGISTERED: { code: -32013, httpStatus: 422, meaning: 'A call goes to a contract that is not there.' },
  METHOD_NOT_WHITELISTED: { code: -32013, httpStatus: 422, meaning: 'A call uses a method that is not whitelisted.' },
  ARGUMENT_NOT_ALLOWED: {
    code: -32013,
    httpStatus: 422,
    meaning: 'An argument of a call is not one that the policy’s rules allow.',
  },
  CALL_NOT_UNDERSTOOD: { code: -32013, httpStatus: 422, meaning: 'The call data could not be read with certainty.' },
  ACCOUNT_NOT_KNOWN: {
    code: -32013,
    httpStatus: 422,
    meaning: 'The code that runs for the sender, or its factory, is not known.',
  },
  SENDER_BLOCKED: { code: -32013, httpStatus: 422, meaning: 'The sender is not sponsored.' },
  LIMIT_EXCEEDED: { code: -32013, httpStatus: 422, meaning: 'A spending limit would be exceeded.' },
  BUDGET_NOT_COUNTED: {
    code: -32018,
    httpStatus: 503,
    meaning: 'The account has a budget in USD, and what the operation costs in USD is not known.',
  },
  GAS_PRICE_TOO_HIGH: { code: -32013, httpStatus: 422, meaning: 'The gas price is above the ceiling.' },
  WEBHOOK_REFUSED: { code: -32013, httpStatus: 422, meaning: 'A webhook said no.' },
  WEBHOOK_UNAVAILABLE: { code: -32013, httpStatus: 422, meaning: 'A webhook gave no usable answer in time.' },
  INSUFFICIENT_FUNDS: { code: -32014, httpStatus: 422, meaning: 'The gas tank cannot carry the operation.' },
  RATE_LIMITED: { code: -32005, httpStatus: 429, meaning: 'Too many requests; Retry-After says when to come back.' },
  ESTIMATION_FAILED: { code: -32016, httpStatus: 422, meaning: 'The operation would fail on chain.' },
  USER_PAYS_SHARE: {
    code: -32017,
    httpStatus: 422,
    meaning: 'The policy has users pay a part of the gas in a token, and the request asks for free gas.',
  },
  TOKEN_NOT_SUPPORTED: { code: -32017, httpStatus: 422, meaning: 'The token is not accepted.' },
  TOKEN_PAYMENT_FAILS: { code: -32017, httpStatus: 422, meaning: 'The user’s tokens could not be taken.' },
  PRICE_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'There is no price that is fresh and agreed on.' },
  CHAIN_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'The chain’s node does not answer.' },
  SIGNER_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'The key to sign with does not answer.' },
  STORE_UNAVAILABLE: {
    code: -32018,
    httpStatus: 503,
    meaning:
      'The database, or the core in front of it, does not answer or cannot write. Retry-After says when to come back.',
  },
  TICKET_REQUIRED: { code: -32019, httpStatus: 422, meaning: 'The policy asks for a ticket, and none was sent.' },
  TICKET_MALFORMED: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket is no signed JWT, or says something in a wrong form.',
  },
  TICKET_ALGORITHM_NOT_ALLOWED: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket’s `alg` is none of the paymaster’s ticket keys, `none` included.',
  },
  TICKET_KEY_NOT_KNOWN: {
    code: -32019,
    httpStatus: 422,
    meaning: 'No ticket key of the paymaster fits the ticket’s `kid` and `iss`.',
  },
  TICKET_SIGNATURE_WRONG: { code: -32019, httpStatus: 422, meaning: 'The ticket’s signature is not of its key.' },
  TICKET_FOR_ANOTHER: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket’s `aud` or `iss` is of another paymaster.',
  },
  TICKET_EXPIRED: { code: -32019, httpStatus: 422, meaning: 'The ticket’s `exp` has passed.' },
  TICKET_NOT_YET_VALID: { code: -32019, httpStatus: 422, meaning: 'The ticket’s `nbf` or `iat` is still to come.' },
  TICKET_LIVES_TOO_LONG: { code: -32019, httpStatus: 422, meaning: 'The ticket’s `exp` is too far away.' },
  TICKET_NOT_FOR_OPERATION: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket is for another sender or other calls.',
  },
  TICKET_USED_UP: {
    code: -32019,
    httpStatus: 422,
    meaning: 'The ticket has no use, or not enough of its budget, left.',
  },
  TICKET_KEYS_UNAVAILABLE: { code: -32018, httpStatus: 503, meaning: 'The keys of tickets cannot be fetched.' },
} as const satisfies Record<string, RpcRefusal>;
export type RpcRefusalReason = keyof typeof rpcRefusals;

/** Methods whose clients look for the error inside an HTTP 200: those of ERC-7677, its extensions, and what libraries ask first. */
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
]);

/** Whether errors of this request show in the HTTP status, as the clients of this interface need it. */
export function errorsShowInHttpStatus(request: { readonly method: string; readonly params?: unknown }): boolean {
  if (request.method === pmSponsorUserOperationByEntryPoint.method) return !namesEntryPoint(request.params);
  return !methodsAnsweredWith200.has(request.method);
}

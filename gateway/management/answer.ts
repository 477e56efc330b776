import type { ErrorAnswer, ErrorEnvelope } from '@tollfree/contract/envelope';
import { managementErrors } from '@tollfree/contract/errors';
import type { Refusal, RefusalReason } from '../../core/domain/result/refusal.ts';
import type { Result } from '../../core/domain/result/result.ts';

/** HTTP statuses of errors that every route declares. */
type ErrorStatus = 400 | 401 | 403 | 404 | 412 | 429 | 503;

/** An error in the form that routes return. */
export type ErrorResponse = { readonly status: ErrorStatus; readonly body: ErrorEnvelope };

/** A refusal that no management call should return: answered as an opaque 500. */
export class UnexpectedRefusal extends Error {
  override readonly name = 'UnexpectedRefusal';

  constructor(refusal: Refusal) {
    super(`unexpected refusal ${refusal.reason}`);
  }
}

export function errorResponse({ status, statusCode, message }: ErrorAnswer): ErrorResponse {
  return { status: status as ErrorStatus, body: { statusCode, message } };
}

export function refusalResponse(refusal: Refusal): ErrorResponse {
  const answer = answerOfRefusal(refusal.reason);
  if (answer === undefined) throw new UnexpectedRefusal(refusal);
  return errorResponse({ statusCode: answer.status, message: refusal.message, ...answer });
}

/** The envelope of a success without data. */
export function done<const Message extends string>(message: Message) {
  return { status: 200, body: { statusCode: 200, message } } as const;
}

/** The envelope of a success with data. */
export function doneWith<const Message extends string, Data>(message: Message, data: Data) {
  return { status: 200, body: { statusCode: 200, message, data } } as const;
}

/** Answers the core's result: its value as a response, or its refusal. */
export function answer<Value, Response>(
  result: Result<Value>,
  respond: (value: Value) => Response,
): Response | ErrorResponse {
  return result.ok ? respond(result.value) : refusalResponse(result.refusal);
}

/** 400 with the text of the first invalid field. The schemas contain the texts, in the interface's order. */
export function validationError(issues: readonly { readonly message: string }[]) {
  return errorResponse({ status: 400, statusCode: 400, message: issues[0]?.message ?? 'Request is not valid' });
}

/** The answer to a refusal. A status alone: the text is that of the failed check. */
type RefusalAnswer = ErrorAnswer | { readonly status: number };

/** Refusals that are not answered by the error of their name. */
const answers: Readonly<Partial<Record<RefusalReason, RefusalAnswer>>> = {
  UNAUTHENTICATED: managementErrors.authTokenAndApiKeyRequired,
  API_KEY_NOT_ACCEPTED: managementErrors.authTokenAndApiKeyRequired,
  SCOPE_MISSING: { status: 403 },
  CHANGED_MEANWHILE: { status: 412 },
  TOO_MANY_AUTH_TOKENS: { status: 400 },
  TOO_MANY_MEMBERS: { status: 400 },
  TOO_MANY_BUDGETS: { status: 400 },
  INVALID_FIELD: { status: 400 },
  WEBHOOK_URL_NOT_REACHABLE: { status: 400 },
  TOO_MANY_WEBHOOKS: { status: 400 },
  TOO_MANY_PAYMASTERS: { status: 400 },
  TOO_MANY_API_KEYS: { status: 400 },
  PAYMASTER_CHAIN_NOT_SUPPORTED: managementErrors.chainIdNotSupported,
  CONTRACT_NOT_FOUND: managementErrors.smartContractNotFound,
  CONTRACT_NAME_EXISTS: managementErrors.smartContractNameExists,
  CONTRACT_ADDRESS_EXISTS: managementErrors.smartContractAddressExists,
  TOO_MANY_CONTRACTS: { status: 400 },
  METHODS_NOT_IN_ABI: { status: 400 },
  ABI_NOT_VERIFIED: { status: 404 },
  EXPLORER_UNAVAILABLE: { status: 503 },
  TOO_MANY_POLICIES: { status: 400 },
  NOTIFICATION_URL_NOT_REACHABLE: { status: 400 },
  TOO_MANY_NOTIFICATIONS: { status: 400 },
  TOO_MANY_TICKET_KEYS: { status: 400 },
  JWKS_URL_NOT_REACHABLE: { status: 400 },
  INVALID_PARAMS: { status: 400 },
  CHAIN_NOT_SUPPORTED: { status: 400 },
  CHAIN_UNAVAILABLE: managementErrors.notReady,
};

/**
 * How a refusal of a management call is answered: `BUDGET_NOT_FOUND` by `managementErrors.budgetNotFound`. Undefined for reasons
 * that cannot occur there: they are answered as a fault of the service.
 */
export function answerOfRefusal(reason: RefusalReason): RefusalAnswer | undefined {
  const name = reason.toLowerCase().replace(/_./g, (start) => start.charAt(1).toUpperCase());
  return answers[reason] ?? (managementErrors as Readonly<Record<string, ErrorAnswer | undefined>>)[name];
}

import type { ErrorAnswer, ErrorEnvelope } from '@tollfree/contract/envelope';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { answerOfRefusal } from './refusal-answers.ts';

/** HTTP statuses of errors that every route declares. */
type ErrorStatus = 400 | 401 | 403 | 404 | 429 | 503;

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
  if (answer === undefined) {
    throw new UnexpectedRefusal(refusal);
  }
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

import { TollfreeApiError } from '@tollfree/sdk';

type Answer = { readonly status: number; readonly body: unknown; readonly headers: Headers };
type Success<A extends Answer> = Extract<A, { readonly status: 200 }>;

/** The body of a successful answer. Rejects with the service's own sentence otherwise. */
export async function bodyOf<A extends Answer>(call: Promise<A>): Promise<Success<A>['body']> {
  const answer = await call;
  if (isSuccess(answer)) return answer.body;
  const { status, body, headers } = answer;
  const envelope = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const message = typeof envelope.message === 'string' ? envelope.message : `The service answered HTTP ${status}.`;
  const statusCode = typeof envelope.statusCode === 'number' ? envelope.statusCode : status;
  const retryAfter = Number(headers.get('retry-after')) || undefined;
  throw new TollfreeApiError({ status, statusCode, message, retryAfter });
}

function isSuccess<A extends Answer>(answer: A): answer is Success<A> {
  return answer.status === 200;
}

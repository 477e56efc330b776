import { ErrorEnvelopeSchema } from '@tollfree/contract/envelope';
import { TollfreeApiError } from '@tollfree/sdk';

type Answer = { readonly status: number; readonly body: unknown; readonly headers: Headers };
type Success<A extends Answer> = Extract<A, { readonly status: 200 }>;

/** The body of a successful answer. Rejects with the service's own sentence otherwise. */
export async function bodyOf<A extends Answer>(call: Promise<A>): Promise<Success<A>['body']> {
  const answer = await call;
  if (isSuccess(answer)) return answer.body;
  const { status, body, headers } = answer;
  const envelope = ErrorEnvelopeSchema.safeParse(body);
  const message = envelope.success ? envelope.data.message : `The service answered HTTP ${status}.`;
  const retryAfter = Number(headers.get('retry-after')) || undefined;
  throw new TollfreeApiError({ status, statusCode: envelope.data?.statusCode ?? status, message, retryAfter });
}

function isSuccess<A extends Answer>(answer: A): answer is Success<A> {
  return answer.status === 200;
}

import { ErrorEnvelopeSchema } from '@tollfree/contract/envelope';
import { TollfreeApiError } from '../errors/tollfree-api-error.ts';

type Answer = { readonly status: number; readonly body: unknown; readonly headers: Headers };
type Success<Response extends Answer> = Extract<Response, { readonly status: 200 }>;

/** The body of a success. Any other answer is thrown as a `TollfreeApiError`. */
export function successBody<Response extends Answer>(response: Response): Success<Response>['body'] {
  if (isSuccess(response)) return response.body;
  const { statusCode, message } = ErrorEnvelopeSchema.parse(response.body);
  const { status, headers } = response;
  throw new TollfreeApiError({ status, statusCode, message, retryAfter: retryAfterOf(headers) });
}

function isSuccess<Response extends Answer>(response: Response): response is Success<Response> {
  return response.status === 200;
}

/** The service sends whole seconds. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

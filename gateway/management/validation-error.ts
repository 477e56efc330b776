import { errorResponse } from './answer.ts';

/** 400 with the text of the first invalid field. The schemas contain the texts, in the interface's order. */
export function validationError(issues: readonly { readonly message: string }[]) {
  return errorResponse({ status: 400, statusCode: 400, message: issues[0]?.message ?? 'Request is not valid' });
}

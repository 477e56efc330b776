import { unexpectedAnswer } from '../errors/transport-error.ts';
import type { HttpAnswer } from './http-send.ts';

/** The answer's JSON. Throws a `TransportError` when it is not JSON. */
export function parseJson({ status, text }: Pick<HttpAnswer, 'status' | 'text'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(status, 'is not JSON');
  }
}

import { TransportError } from '../errors/transport-error.ts';
import { maxAnswerBytes } from './http-send.ts';

/** Converts a request's rejection to a `TransportError` without any URL. */
export function describeFailure(cause: unknown, timeoutMs: number, signal: AbortSignal): TransportError {
  if (cause instanceof AnswerTooLong) {
    return new TransportError('The answer is too long to be one of the service.', { failure: 'unexpected-answer' });
  }
  if (signal.aborted) {
    return new TransportError(`The service did not answer within ${timeoutMs} ms.`, { failure: 'timeout', cause });
  }
  const code = networkCode(cause);
  return new TransportError(`The service could not be reached${code === undefined ? '' : ` (${code})`}.`, {
    failure: 'unreachable',
    cause,
  });
}

/** Node's code for a network failure, such as `ECONNREFUSED`; on the error or on its cause. */
function networkCode(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'cause' in cause ? networkCode(cause.cause) : undefined;
}

/** An answer is longer than any of the service's. */
class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** Reads UTF-8 text piece by piece, at most {@link maxAnswerBytes}. */
export async function readBoundedText(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxAnswerBytes) throw new AnswerTooLong();
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

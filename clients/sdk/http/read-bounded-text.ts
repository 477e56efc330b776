import { maxAnswerBytes } from './http-limits.ts';

/** An answer is longer than any of the service's. */
export class AnswerTooLong extends Error {
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

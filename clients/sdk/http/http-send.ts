import { unexpectedAnswer } from '../errors/transport-error.ts';

export type HttpRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An answer as received. Redirects are answers: following one would send credentials to another server. */
export type HttpAnswer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Sends one request and reads its whole answer. Rejects with a `TransportError`. */
export type HttpSend = (request: HttpRequest) => Promise<HttpAnswer>;

/** Longest answer that is read, in bytes. A list of 1,000 contracts with their ABIs may take several megabytes. */
export const maxAnswerBytes = 64 * 1024 * 1024;

/** Default time limit for a whole answer, in milliseconds. */
export const defaultTimeoutMs = 30_000;

/** Throws a `TypeError` that names `option` unless its value is an http or https URL. Never quotes the value. */
export function checkAddress(option: string, value: string): void {
  const isHttp = /^https?:\/\//i.test(value) && URL.canParse(value);
  if (!isHttp) throw new TypeError(`${option} must be an http or https URL.`);
}

/** The answer's JSON. Throws a `TransportError` when it is not JSON. */
export function parseJson({ status, text }: Pick<HttpAnswer, 'status' | 'text'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(status, 'is not JSON');
  }
}

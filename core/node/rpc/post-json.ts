import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, interceptors, request } from 'undici';
import { boundInformational } from './bound-informational.ts';

/** Most bytes of an answer: two thousand events with their data are below. */
export const maxAnswerBytes = 10 * 1024 * 1024;
/** An address of a provider may have moved; what leads in a circle has not. */
const maxRedirections = 3;

const agent = new Agent({ maxResponseSize: maxAnswerBytes });
const dispatcher = agent.compose(boundInformational, interceptors.redirect({ maxRedirections }));
const unzip = promisify(gunzip);

/** An answer to its last byte. */
export type PostedAnswer = { readonly status: number; readonly statusText: string; readonly text: string };

/**
 * Sends JSON to a node or bundler. Plain HTTP on kept connections: `fetch` with its streams costs several times as much, for
 * every decision. Rejects as undici does, and with the reason of `signal`.
 */
export async function postJson(
  url: string,
  json: string | Buffer,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    /** Told when the answer has begun. */
    readonly onBegin: () => void;
  },
): Promise<PostedAnswer> {
  const { statusCode, statusText, headers, body } = await request(url, {
    method: 'POST',
    headers: { ...ownHeaders, ...options.headers },
    body: json,
    signal: options.signal,
    dispatcher,
    // Both are the caller's to say, by the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  options.onBegin();
  const isZipped = headers['content-encoding'] === 'gzip';
  const text = isZipped ? await readZipped(await body.arrayBuffer()) : await body.text();
  return { status: statusCode, statusText, text };
}

const ownHeaders = { 'content-type': 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'tollfree' } as const;

async function readZipped(bytes: ArrayBuffer): Promise<string> {
  return (await unzip(bytes, { maxOutputLength: maxAnswerBytes })).toString('utf8');
}

import { checkAddress } from '../http/check-address.ts';
import { createFetchSend, type Fetch } from '../http/fetch-send.ts';
import { defaultTimeoutMs } from '../http/http-limits.ts';

/**
 * Carries one JSON-RPC request as JSON text and gives back the answer's HTTP status and text, unparsed: a parse and
 * another stringify would round its large integers. Rejects when no answer came.
 */
export type SponsorTransport = (request: string) => Promise<{ readonly status: number; readonly text: string }>;

export type HttpTransportOptions = {
  /** RPC endpoint of a paymaster: `https://gas.example.org/api/v2/{chainId}/{apiKey}`. */
  readonly url: string;
  /** Sends the requests instead of the platform's own `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Longest wait for one answer, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
};

/** Sends over HTTP. Throws a `TypeError` when `url` is not an http or https URL. */
export function httpTransport(options: HttpTransportOptions): SponsorTransport {
  const { url, fetch, timeoutMs = defaultTimeoutMs } = options;
  checkAddress('url', url);
  const send = createFetchSend({ fetch, timeoutMs });
  return (body) => send({ url, method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

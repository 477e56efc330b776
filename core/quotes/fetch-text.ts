import { Agent, errors } from 'undici';
import { boundInformational, InformationalFloodError } from '../node/rpc/bound-informational.ts';
import type { ReadOutcome } from './shared-read.ts';

/** Bounds of a price answer on the web. Times in milliseconds, sizes in bytes. */
export const priceAnswerLimits = { timeoutMs: 2_000, bytes: 65_536, headerBytes: 8_192 } as const;

/**
 * GETs a text: within 2 seconds in all, at most 64 KiB, status 200, no redirects, nothing compressed. Each request has a
 * connection of its own, which ends with it.
 */
export function createTextFetcher(url: URL): () => Promise<ReadOutcome<string>> {
  const agent = new Agent({
    // No keep-alive: there is one request every few seconds at most, and nothing to close at shutdown.
    pipelining: 0,
    connect: { timeout: priceAnswerLimits.timeoutMs },
    maxHeaderSize: priceAnswerLimits.headerBytes,
    maxResponseSize: priceAnswerLimits.bytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  }).compose(boundInformational);
  return async () => {
    const signal = AbortSignal.timeout(priceAnswerLimits.timeoutMs);
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        signal,
      });
      const text = await body.text();
      if (statusCode !== 200) return { problem: `answered with status ${statusCode}` };
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') return { problem: 'answered in a compressed form' };
      return { value: text };
    } catch (error) {
      return { problem: describe(error, signal) };
    }
  };
}

function describe(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `did not answer within ${priceAnswerLimits.timeoutMs} ms`;
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return `answered more than ${priceAnswerLimits.bytes} bytes`;
  if (error instanceof InformationalFloodError) return error.message;
  return 'could not be reached';
}

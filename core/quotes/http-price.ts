import { Agent, errors } from 'undici';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { HttpPriceConfig } from '../domain/core-config.ts';
import { boundInformational, InformationalFloodError } from '../node/rpc/post-json.ts';
import { followJsonPath, parseJsonPath } from './json-path.ts';
import { createObservedPrice, type Observation, type PriceSource, type ReadNote, readDecimal } from './price-source.ts';
import type { ReadOutcome } from './shared-read.ts';

/**
 * A price in a JSON document on the web: a decimal number or text, read exactly as written.
 *
 * @throws RangeError when URL or paths are not usable; configuration is checked before this runs.
 */
export function createHttpPrice(
  config: HttpPriceConfig,
  context: { readonly clock: Clock; readonly noteRead?: ReadNote | undefined },
): PriceSource {
  const { clock, noteRead } = context;
  const fetchText = createTextFetcher(usableUrl(config));
  const pricePath = usablePath(config.path);
  const timePath = config.timestampPath === undefined ? undefined : usablePath(config.timestampPath);

  async function observe(): Promise<ReadOutcome<Observation>> {
    const askedAt = unixSeconds(clock);
    const answer = await fetchText();
    if ('problem' in answer) return answer;
    const document = parseExactJson(answer.value);
    if (document === undefined) return { problem: 'answered something that is not JSON' };
    const price = readAt(document, pricePath, readDecimal);
    if (price === undefined) return { problem: `has no decimal number at ${config.path}` };
    const observedAt = timePath === undefined ? askedAt : readAt(document, timePath, readTime);
    if (observedAt === undefined) return { problem: `has no time at ${config.timestampPath}` };
    return { value: { price, observedAt } };
  }

  const { maxAgeSeconds } = config;
  return { kind: 'http', read: createObservedPrice({ observe, maxAgeSeconds, clock, noteRead }) };
}

function readAt<T>(document: unknown, path: readonly string[], read: (text: string) => T | undefined): T | undefined {
  const found = followJsonPath(document, path);
  return typeof found === 'string' ? read(found) : undefined;
}

function usableUrl({ url, allowHttp }: HttpPriceConfig): URL {
  const parsed = new URL(url);
  const isAllowed = parsed.protocol === 'https:' || (allowHttp && parsed.protocol === 'http:');
  if (!isAllowed) throw new RangeError('The URL of a price must be https, unless http is allowed.');
  return parsed;
}

function usablePath(path: string): readonly string[] {
  const steps = parseJsonPath(path);
  if (steps === undefined) throw new RangeError('The path of a price is invalid.');
  return steps;
}

/** Strings first, so that digits inside them are not matched as numbers. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON, keeping every number as its original text, so that no digit passes through a double: `{"usd":
 * 0.30000000000000004}` gives `{ usd: '0.30000000000000004' }`. Undefined when the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  try {
    // The original text decides whether it is JSON; after that every number in it is well formed.
    JSON.parse(text);
    return JSON.parse(text.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));
  } catch {
    return undefined;
  }
}

/** Unix seconds as digits end here (the year 5138); larger numbers are milliseconds. */
const firstMilliseconds = 100_000_000_000;

const number = /^\d{1,14}(?:\.\d{1,12})?$/;
const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,12})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Unix seconds of a time given in seconds, milliseconds or RFC 3339 with its zone. Undefined for other texts. */
export function readTime(text: string): number | undefined {
  if (number.test(text)) {
    const value = Number(text);
    return Math.floor(value < firstMilliseconds ? value : value / 1_000);
  }
  if (!rfc3339.test(text)) return undefined;
  const milliseconds = Date.parse(text.toUpperCase());
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1_000);
}

/** Bounds of a price answer on the web. Times in milliseconds, sizes in bytes. */
const priceAnswerLimits = { timeoutMs: 2_000, bytes: 65_536, headerBytes: 8_192 } as const;

/**
 * GETs a text: within 2 seconds in total, at most 64 KiB, status 200, no redirects, no compression. Each request has its own
 * connection.
 */
export function createTextFetcher(url: URL): () => Promise<ReadOutcome<string>> {
  const agent = new Agent({
    // No keep-alive: at most one request every few seconds, and nothing to close at shutdown.
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

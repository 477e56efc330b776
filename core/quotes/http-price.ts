import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { HttpPriceConfig } from '../domain/core-config.ts';
import { createTextFetcher } from './fetch-text.ts';
import { followJsonPath, parseJsonPath } from './json-path.ts';
import { createObservedPrice, type Observation, type ReadNote } from './observed-price.ts';
import { parseExactJson } from './parse-exact-json.ts';
import type { PriceSource } from './price-source.ts';
import { readDecimal } from './read-decimal.ts';
import { readTime } from './read-time.ts';
import type { ReadOutcome } from './shared-read.ts';

/**
 * A price in a JSON document on the web: a decimal number or a decimal text, read exactly as it is written.
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

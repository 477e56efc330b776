import { vi } from 'vitest';
import { z } from 'zod';

/** On any answer that is not 2xx `@biconomy/account` downloads this table before it says what the answer was. */
const errorTableUrl = 'https://raw.githubusercontent.com/bcnmy/aa-errors/main/docs/errors.json';

const quotesAnswer = z.object({
  result: z.object({ feeQuotes: z.array(z.object({ maxGasFee: z.number(), decimal: z.int() })).min(1) }),
});
export type SeenQuote = z.output<typeof quotesAnswer>['result']['feeQuotes'][number];

/**
 * Replaces `fetch` for clients that keep what they were answered to themselves: it remembers the first quote of every
 * answer with quotes, and serves an empty error table. All else goes out as before, until `vi.unstubAllGlobals`.
 */
export function watchFetch(): { readonly firstQuotes: readonly SeenQuote[] } {
  const firstQuotes: SeenQuote[] = [];
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    if (request[0] === errorTableUrl) return Response.json([]);
    const response = await realFetch(...request);
    const [quote] = quotesAnswer.safeParse(await response.clone().json()).data?.result.feeQuotes ?? [];
    if (quote !== undefined) firstQuotes.push(quote);
    return response;
  });
  return { firstQuotes };
}

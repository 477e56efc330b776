import { Agent, fetch as fetchOfUndici } from 'undici';
import { boundInformational } from './bound-informational.ts';

const dispatcher = new Agent().compose(boundInformational);

/** `fetch` for the clients of nodes and bundlers, with what a server may send before its answer bounded. */
export const boundedFetch: typeof fetch = (input, init) => {
  // The types of undici and those of Node describe the same thing, each in its own words.
  const answer = fetchOfUndici(input as Parameters<typeof fetchOfUndici>[0], { ...(init as object), dispatcher });
  return answer as unknown as ReturnType<typeof fetch>;
};

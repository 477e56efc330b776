/** What a row of the results measures, in words, in the order of the pages. */
export const serviceRows = {
  SPONSORED: 'the same call again',
  'new, given': 'a new call, gas limits given',
  'new, estimated': 'a new call, gas limits estimated',
  "Pimlico's, new": 'a new call, one request (`pm_sponsorUserOperation`)',
  'ERC-7677, new': 'a new call, two requests (ERC-7677)',
  'half refused': 'the same calls, half of them refused',
  'quote, 1 token': 'a price in one token',
  'quote, 10 tokens': 'prices in ten tokens',
} as const;

/** Who else signs. Both sign whatever is asked, and store nothing. */
export const peerRows = {
  'bare-signer': 'bare signer: viem behind `node:http`',
  'mock-paymaster': 'Pimlico’s `@pimlico/mock-paymaster`',
} as const;

/** How the service is set up, by the start of the names of its rows. */
export const setUpRows = {
  '': 'one process on SQLite',
  'split, ': 'gateway and core in two processes',
  'PostgreSQL, 1, ': 'PostgreSQL on the same machine, one process',
  'PostgreSQL, 2, ': 'PostgreSQL on the same machine, two processes',
} as const;

import { runSeparately } from './separate/run-separately.ts';

/** With its dependencies it is too large for the lock file. */
const infra = { name: '@account-kit/infra', version: '4.88.5' };

/** `npm run test:alchemy`: Alchemy's gas manager client passes on a ticket and a policy. Flags go to vitest. */
process.exit(runSeparately(infra, 'test/tickets/clients/alchemy.separate.ts', process.argv.slice(2)));

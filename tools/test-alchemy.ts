import { runSeparately } from './separate/run-separately.ts';

/** With what it brings along it is more than the lock file should carry for one client. */
const infra = { name: '@account-kit/infra', version: '4.88.5' };

/** `npm run test:alchemy`: Alchemy's gas manager client hands on a ticket and a policy. Flags go to vitest. */
process.exit(runSeparately(infra, 'test/tickets/clients/alchemy.separate.ts', process.argv.slice(2)));

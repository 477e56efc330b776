import { runBeside } from './beside/run-beside.ts';

/** With what it brings along it is more than the lock file should carry for one client. */
const infra = { name: '@account-kit/infra', version: '4.88.5' };

/** `npm run test:alchemy`: Alchemy's gas manager client hands on a ticket and a policy. Flags go to vitest. */
process.exit(runBeside(infra, 'test/tickets/clients/alchemy.beside.ts', process.argv.slice(2)));

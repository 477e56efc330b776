import { fillLedger, type LargeLedger } from './fill-ledger.ts';
import { fillPaymasters, type ManyPaymasters } from './fill-paymasters.ts';

/** Fills a database, in a process of its own: what that takes of memory is not the service's. The argument is JSON. */
const { ledger, many } = JSON.parse(process.argv[2] ?? '') as { ledger: LargeLedger; many: ManyPaymasters };
fillLedger(ledger);
fillPaymasters(ledger.to, many);

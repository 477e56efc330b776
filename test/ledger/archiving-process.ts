import { archiveLedger } from '../../core/ledger/archiving/archive-ledger.ts';
import { openStore } from '../../core/store/open-store.ts';
import { openArchive } from '../../server/ledger-archive/archive-file.ts';
import { archiveAll } from '../../server/ledger-archive/archive-ledger.ts';
import { systemClock } from '../../server/system-clock.ts';
import { readAddress } from '../support/store/address-text.ts';

/** Archives a ledger to a file, until it is done or killed. Says each step. Arguments: the database, the file. */
const [database = '', file = ''] = process.argv.slice(2);
const store = await openStore(readAddress(database));
const archive = openArchive(file);
const core = {
  archiveLedger: (input: Parameters<typeof archiveLedger>[1]) => archiveLedger({ store, clock: systemClock }, input),
};
await archiveAll(core, { olderThanDays: 90, onRows: () => process.stdout.write('step\n') }, archive);
archive.close();
await store.close();

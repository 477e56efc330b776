import { resolve } from 'node:path';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { restoreDatabase } from '../../core/store/sqlite/backup/restore-database.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import { systemClock } from '../system-clock.ts';
import { describeCopy, fileToCopy, keyFiles } from './file-to-copy.ts';

const whatComesNext = `Start the service. It reads from the chain what has happened since the copy was made, and the deposits agree again.
What the chain does not have is as it was then:
  what is signed since then is in no tank: what it costs stands as cost of no tank (tollfree ledger check)
  authTokens, apiKeys and accounts that were revoked or suspended since then are let in again: revoke them again
  policies, contracts, webhooks and paymasters that were made or changed since then have to be made or changed again
It needs these files as they were then:`;

/** `tollfree restore`: replaces the database with a copy and moves the old one aside. No service may have it open. */
export async function restore(file: string, flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const databaseFile = fileToCopy(config);
  const from = resolve(file);
  const restored = await withProgress('Restoring the copy', (show) =>
    restoreDatabase({ from, to: databaseFile, now: new Date(systemClock.now()) }, (done) =>
      show(`Restoring the copy: ${Math.floor(done * 100)} %`),
    ),
  );
  const keys = keyFiles(config);
  printAnswer(flags, { file: databaseFile, ...restored, keyFiles: keys }, () => {
    printLine(`${databaseFile}: ${describeCopy(restored)}`);
    if (restored.movedAside !== undefined) printLine(`The previous database is now ${restored.movedAside}`);
    printHint(whatComesNext);
    for (const key of keys) printHint(`  ${key}`);
  });
}

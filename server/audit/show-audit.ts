import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer } from '../../clients/cli/terminal/print-answer.ts';
import { printForeignLine } from '../../clients/cli/terminal/print-foreign-line.ts';
import { unixSeconds } from '../../core/base/time/clock.ts';
import { readAudit } from '../../core/management/audit/read-audit.ts';
import { openToRead } from '../../core/store/read-only/open-to-read.ts';
import { databaseOf } from '../config/database-of.ts';
import { loadConfig } from '../config/load-config.ts';
import { withOwnConfig } from '../config/own-config.ts';
import { systemClock } from '../system-clock.ts';

/** `tollfree audit`: who can do what, most severe first. Works while a service runs, and changes nothing. */
export async function showAudit(flags: Flags): Promise<void> {
  const store = await openToRead(databaseOf(loadConfig(withOwnConfig(flags))));
  try {
    const entries = await readAudit(store, unixSeconds(systemClock));
    printAnswer(flags, entries, () => {
      for (const { risk, kind, id, accountId, name, what } of entries) {
        const named = name === undefined ? '' : ` “${name}”`;
        const owner = accountId === undefined || kind === 'account' ? '' : ` of account ${accountId}`;
        printForeignLine(`${risk.padEnd(6)}  ${kind} ${id}${named}${owner}: ${what}`);
      }
    });
  } finally {
    await store.close();
  }
}

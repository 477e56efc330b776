import { omitAbsent } from '@tollfree/contract/omit-absent';
import { countFlag, type Flags, textFlag, timeFlag } from '../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printForeignLine, printHint } from '../clients/cli/terminal/print-answer.ts';
import { unixSeconds } from '../core/base/time/clock.ts';
import type { AuditLogEntry } from '../core/domain/access/audit-log.ts';
import { readAuditLog } from '../core/management/audit-log/read-audit-log.ts';
import { readAudit } from '../core/management/read-audit.ts';
import { openToRead } from '../core/store/open-store.ts';
import { accepted } from './accepted.ts';
import { databaseOf, loadConfig, withOwnConfig } from './config/load-config.ts';
import { systemClock } from './system-clock.ts';

/** `tollfree audit log`: who changed what, for all accounts. Works while a service runs, and changes nothing. */
export async function showAuditLog(flags: Flags): Promise<void> {
  const text = (option: string) => textFlag(flags, option);
  const filter = omitAbsent({
    from: timeFlag(flags, 'from'),
    until: timeFlag(flags, 'until'),
    who: text('who'),
    operation: text('operation'),
    object: text('object'),
  });
  const page = { accountId: text('account'), cursor: text('cursor'), limit: countFlag(flags, 'limit', 200) };
  const store = await openToRead(databaseOf(loadConfig(withOwnConfig(flags))));
  try {
    const answer = accepted(await readAuditLog(store, { filter, ...omitAbsent(page) }));
    printAnswer(flags, answer, () => {
      for (const entry of answer.entries) printEntry(entry);
      if (answer.entries.length === 0 && answer.nextCursor === undefined) printHint('No such entry.');
      if (answer.nextCursor !== undefined) printHint(`There are more: --cursor ${answer.nextCursor}`);
    });
  } finally {
    await store.close();
  }
}

function printEntry(entry: AuditLogEntry): void {
  const { changedAt, operation, author, wallet, credentialId, address, client, accountId } = entry;
  const who = [author, wallet ?? credentialId, address && `from ${address}`, client && `(${client})`];
  const at = accountId === undefined ? '' : ` at account ${accountId}`;
  printForeignLine(`${formatTime(changedAt)}  ${operation}${at} by ${who.filter(Boolean).join(' ')}`);
  printForeignLine(`  before ${entry.beforeJson}`);
  printForeignLine(`  after  ${entry.afterJson}`);
}

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

import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { AuditLogEntry } from '../../../core/domain/access/audit-log.ts';
import { readAuditLog } from '../../../core/management/audit-log/read-audit-log.ts';
import { openToRead } from '../../../core/store/read-only/open-to-read.ts';
import { accepted } from '../accepted.ts';
import { databaseOf } from '../config/database-of.ts';
import { type Flags, loadConfig } from '../config/load-config.ts';
import { withOwnConfig } from '../config/own-config.ts';
import { countFlag } from '../manage/count-flag.ts';
import { printAnswer, printHint } from '../manage/print-answer.ts';
import { timeFlag } from '../manage/session/time-flag.ts';
import { textFlag } from '../manage/text-flag.ts';
import { printForeignLine } from '../print-foreign-line.ts';
import { formatTime } from '../print-rows.ts';

/** `tollfree audit log`: who changed what, of all accounts. Works next to a running service, and changes nothing. */
export async function showAuditLog(flags: Flags): Promise<void> {
  const text = (option: string) => textFlag(flags, option);
  const filter = omitAbsent({
    ...{ from: timeFlag(flags, 'from'), until: timeFlag(flags, 'until') },
    ...{ who: text('who'), operation: text('operation'), object: text('object') },
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

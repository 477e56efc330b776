import { resolve } from 'node:path';
import { counted } from '@tollfree/contract/counted';
import { maxArchiveDays, minArchiveDays } from '@tollfree/contract/limits';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, requiredFlag, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { withRests } from '../../core/base/time/with-rests.ts';
import type { Core } from '../../core/domain/core.ts';
import { StartError } from '../../core/domain/start-error.ts';
import { lockDatabase } from '../../core/store/sqlite/lock-database.ts';
import { accepted } from '../accepted.ts';
import { withCore } from '../with-core.ts';
import { type ArchiveFile, openArchive, readArchive } from './archive-file.ts';

/** Archives everything due, step by step. Returns how many rows were deleted from the ledger. */
export async function archiveAll(
  core: Pick<Core, 'archiveLedger'>,
  { olderThanDays, onRows }: { readonly olderThanDays: number; readonly onRows: (rows: number) => void },
  file: ArchiveFile | undefined,
): Promise<number> {
  let archived = 0;
  // A step that was stored before the command ended may not be deleted yet.
  let step = { after: '', rows: file?.lastRows ?? '', isLast: false };
  const turn = async () => {
    const { deleted, ...next } = accepted(
      await core.archiveLedger({ olderThanDays, after: step.after, stored: step.rows }),
    );
    archived += deleted;
    onRows(archived);
    if (next.rows !== '') file?.append(next.rows);
    step = next;
    return next.isLast && next.rows === '';
  };
  await withRests(turn, () => false);
  return archived;
}

/** `tollfree ledger archive`: stores rows first, then deletes them from the ledger, which keeps their sums. */
export async function archiveLedger(flags: Flags): Promise<void> {
  const olderThanDays = readDays(requiredFlag(flags, 'olderThan'));
  const to = textFlag(flags, 'out');
  const file = to === undefined ? undefined : resolve(to);
  const archive = (target?: ArchiveFile) =>
    withProgress('Archiving the ledger', (show) =>
      withCore(flags, (core) =>
        archiveAll(
          core,
          { olderThanDays, onRows: (rows) => show(`Archiving the ledger: ${counted(rows, 'row')}`) },
          target,
        ),
      ),
    );
  const rows = file === undefined ? await archive() : await withFile(file, archive);
  printAnswer(flags, { rows, file }, () => {
    printLine(`${counted(rows, 'row')} archived${file === undefined ? ' as sums alone' : ` to ${file}`}.`);
    if (rows > 0) printHint('A SQLite file keeps its size. The service uses the space again.');
  });
}

/** `tollfree ledger read-archive`: checks a file, and prints its rows or their number. */
export function showArchive(file: string, flags: Flags): void {
  let [batches, rows] = [0, 0];
  for (const batch of readArchive(resolve(file))) {
    if (flags.rows === true) process.stdout.write(batch.rows);
    batches += 1;
    rows += batch.end.rows;
  }
  if (flags.rows === true) return;
  printAnswer(flags, { file, batches, rows }, () =>
    printLine(`${counted(rows, 'row')} in ${counted(batches, 'batch', 'batches')}; every checksum is right.`),
  );
}

/** Opens the archive at a path, which only one command may write at a time. */
async function withFile<T>(file: string, work: (archive: ArchiveFile) => Promise<T>): Promise<T> {
  const lock = await lockDatabase(file).catch((error: unknown) => {
    if (error instanceof StartError) throw mistake(`Another command is writing the archive ${file}. Wait for it.`);
    throw error;
  });
  try {
    const archive = openArchive(file);
    try {
      return await work(archive);
    } finally {
      archive.close();
    }
  } finally {
    lock.release();
  }
}

function readDays(text: string): number {
  const days = Number(/^(\d{1,5})d$/.exec(text)?.[1]);
  if (days >= minArchiveDays && days <= maxArchiveDays) return days;
  throw mistake(`--older-than must be days like 90d, from ${minArchiveDays}d to ${maxArchiveDays}d.`);
}

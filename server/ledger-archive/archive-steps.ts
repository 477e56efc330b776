import { setTimeout as pause } from 'node:timers/promises';
import type { Core } from '../../core/domain/core.ts';
import { accepted } from '../accepted.ts';
import type { ArchiveFile } from './archive-file.ts';

/** Milliseconds that others have the database to themselves between two steps. */
const betweenSteps = 20;

/** Archives everything that is due, step by step. Answers how many rows were deleted from the ledger. */
export async function archiveAll(
  core: Pick<Core, 'archiveLedger'>,
  { olderThanDays, onRows }: { readonly olderThanDays: number; readonly onRows: (rows: number) => void },
  file: ArchiveFile | undefined,
): Promise<number> {
  let archived = 0;
  // A step that was stored before the command ended may not be deleted yet.
  let step = { after: '', rows: file?.lastRows ?? '', isLast: false };
  for (;;) {
    const { deleted, ...next } = accepted(
      await core.archiveLedger({ olderThanDays, after: step.after, stored: step.rows }),
    );
    archived += deleted;
    onRows(archived);
    if (next.rows !== '') file?.append(next.rows);
    if (next.isLast && next.rows === '') return archived;
    step = next;
    await pause(betweenSteps);
  }
}

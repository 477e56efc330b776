import { resolve } from 'node:path';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, requiredFlag, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { checkAllLedgers } from '../../core/ledger/checking/check-ledger.ts';
import { openStore } from '../../core/store/open-store.ts';
import { moveToPostgres } from '../../core/store/postgres/move-to-postgres.ts';
import { undoMove } from '../../core/store/sqlite/moved-mark.ts';
import { refuseUrlPassword } from '../config/load-config.ts';

/**
 * `tollfree migrate`: moves a file's data to a PostgreSQL server, all or nothing. Afterwards no service starts with the
 * file.
 */
export async function moveDatabase(flags: Flags): Promise<void> {
  const from = /^sqlite:(.+)$/s.exec(requiredFlag(flags, 'from'))?.[1];
  if (from === undefined) throw mistake('--from must be the file with sqlite: before it, like sqlite:data/tollfree.db');
  if (flags.undo === true) return undo(flags, resolve(from));
  const url = textFlag(flags, 'to');
  if (url === undefined)
    throw mistake('--to is missing: the URL of a PostgreSQL database, like postgres://user@host/name');
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw mistake('--to must be the URL of a PostgreSQL database, like postgres://user@host/name');
  }
  refuseUrlPassword(url, '--to', 'with --to-password-file <file>, a file of mode 0600, or in a PGPASSFILE');
  const to = withPassword(url, textFlag(flags, 'toPasswordFile'));
  const tables = await withProgress('Moving the database', (show) =>
    moveToPostgres(resolve(from), to, (table) => show(`Moving the database: ${table}`)),
  );
  const store = await openStore({ kind: 'postgres', url: to });
  const faults = await checkAllLedgers(store).finally(store.close);
  printAnswer(flags, { tables, faults }, () => {
    for (const { table, rows } of tables) if (rows > 0) printLine(`${table}: ${rows}`);
    printHint(
      'Every table was read back and is identical. Set databaseUrl instead of databaseFile, then start the service. ' +
        'The file is marked as moved: no service starts with it.',
    );
  });
  if (faults.length > 0)
    throw mistake(`The ledger does not add up, neither before nor after the move: ${faults.join('; ')}`);
}

/** `tollfree migrate --undo`: allows starting with the file again. */
async function undo(flags: Flags, file: string): Promise<void> {
  await undoMove(file);
  printAnswer(flags, { file }, () => {
    printLine(`${file} is no longer marked as moved.`);
    printHint(
      'Start no service with the other database: two would sign for the same deposit. The file lacks what was signed there.',
    );
  });
}

function withPassword(url: string, file: string | undefined): Secret<string> {
  if (file === undefined) return new Secret(url);
  const target = new URL(url);
  target.password = encodeURIComponent(readPassword(file));
  return new Secret(target.href);
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, requiredFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { backUpDatabase } from '../../core/store/sqlite/backup/back-up-database.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import { describeCopy, fileToCopy, keyFiles } from './file-to-copy.ts';

/** `tollfree backup`: a checked copy of the database, which a service may be using. */
export async function backUp(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const databaseFile = fileToCopy(config);
  if (!existsSync(databaseFile)) throw mistake(`There is no database ${databaseFile} yet.`);
  const file = resolve(requiredFlag(flags, 'out'));
  const facts = await withProgress('Copying the database', (show) =>
    backUpDatabase(databaseFile, file, (done) => show(`Copying the database: ${Math.floor(done * 100)} %`)),
  );
  const keys = keyFiles(config);
  printAnswer(flags, { file, ...facts, keyFiles: keys }, () => {
    printLine(`${file}: ${describeCopy(facts)}`);
    printHint(
      'It contains no keys. It is useful only together with these files; store them in another place than the copy:',
    );
    for (const key of keys) printHint(`  ${key}`);
  });
}

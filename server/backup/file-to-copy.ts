import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Config } from '../config/config-schema.ts';
import { databaseOf } from '../config/database-of.ts';
import { keyFiles } from './key-files.ts';

/** The file of the database. Throws a `CliError` where it is on a server, whose own tools copy it and put it back. */
export function fileToCopy(config: Config): string {
  const database = databaseOf(config);
  if (database.kind === 'sqlite') return database.file;
  throw mistake(
    'The database is on a PostgreSQL server. Copy it with pg_dump, and restore it with pg_restore while the service is ' +
      `stopped. A copy is useful only together with these files: ${keyFiles(config).join(', ')}`,
  );
}

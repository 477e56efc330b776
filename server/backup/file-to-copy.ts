import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Config } from '../config/config-schema.ts';
import { databaseOf } from '../config/database-of.ts';
import { keyFiles } from './key-files.ts';

/** The database file. Throws a `CliError` for a database on a server, which the server's own tools back up and restore. */
export function fileToCopy(config: Config): string {
  const database = databaseOf(config);
  if (database.kind === 'sqlite') return database.file;
  throw mistake(
    'The database is on a PostgreSQL server. Copy it with pg_dump, and restore it with pg_restore while the service is ' +
      `stopped. A copy is useful only together with these files: ${keyFiles(config).join(', ')}`,
  );
}

import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import type { Config } from './config-schema.ts';

/** The configured database. Throws a `CliError` if none or two are configured. */
export function databaseOf({
  databaseFile,
  databaseUrl,
}: Pick<Config, 'databaseFile' | 'databaseUrl'>): DatabaseAddress {
  if (databaseFile !== undefined && databaseUrl !== undefined) {
    throw mistake('The configuration sets both databaseFile and databaseUrl. Remove one of them.');
  }
  if (databaseFile !== undefined) return { kind: 'sqlite', file: databaseFile };
  if (databaseUrl !== undefined) return { kind: 'postgres', url: databaseUrl };
  throw mistake('databaseFile is missing in the configuration. Name a configuration file with --config.');
}

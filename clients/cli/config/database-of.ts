import type { DatabaseAddress } from '../../../core/domain/values/database-address.ts';
import { mistake } from '../cli-error.ts';
import type { Config } from './config-schema.ts';

/** Where the configuration has the state. Throws a `CliError` when it does not say so. */
export function databaseOf(config: Pick<Config, 'databaseFile'>): DatabaseAddress {
  if (config.databaseFile !== undefined) return { kind: 'sqlite', file: config.databaseFile };
  throw mistake('databaseFile is missing in the configuration. Name a configuration file with --config.');
}

import { dirname, resolve } from 'node:path';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Environment, processEnvironment } from '../../clients/cli/terminal/environment.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { applyOverrides, type RawConfig } from './apply-overrides.ts';
import { type Config, configSchema } from './config-schema.ts';
import { describeIssue, issueText } from './describe-issue.ts';
import { expandNames } from './expand-names.ts';
import { readConfigFile } from './read-config-file.ts';
import { resolveFiles } from './resolve-files.ts';
import { refuseUrlPassword } from './url-password.ts';

/** Where the database password belongs. */
const elsewhere = 'in a PGPASSFILE of mode 0600, in TOLLFREE_DATABASE_URL or in databaseUrl of the configuration file';

/**
 * Reads and validates the configuration: flag > environment > file > default. `--config` or `TOLLFREE_CONFIG` name the file;
 * it is optional. Throws a `CliError` with one sentence.
 */
export function loadConfig(flags: Flags, environment: Environment = processEnvironment()): Config {
  refuseUrlPassword(flags.databaseUrl, '--database-url', elsewhere);
  const file = findConfigFile(flags, environment);
  const content = file === undefined ? {} : resolveFiles(readConfigFile(file).content, dirname(file));
  return checkConfig(applyOverrides(expandNames(content).value, { environment, flags }), file);
}

/** The file of `--config` or `TOLLFREE_CONFIG`. */
export function findConfigFile(flags: Flags, environment: Environment = processEnvironment()): string | undefined {
  const given = typeof flags.config === 'string' ? flags.config : environment.TOLLFREE_CONFIG;
  return given === undefined || given === '' ? undefined : resolve(given);
}

/** A configuration with its defaults. Throws a `CliError` with one sentence when it is invalid; `file` is its source. */
export function checkConfig({ value, origins }: RawConfig, file: string | undefined): Config {
  const parsed = configSchema.safeParse(value, { error: issueText });
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw mistake(first === undefined ? 'The configuration is not valid.' : describeIssue(first, { origins, file }));
  }
  return parsed.data;
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Environment, processEnvironment } from '../../clients/cli/terminal/environment.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import { applyOverrides, type RawConfig } from './apply-overrides.ts';
import { type Config, configSchema } from './config-schema.ts';
import { describeIssue, issueText } from './describe-issue.ts';
import { expandNames } from './expand-names.ts';

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

/** Name of the configuration file that is found by default. */
export const ownConfigFile = 'tollfree.json';

/**
 * Adds the configuration of the working directory to an operator command's flags, if neither flag nor variable names a
 * configuration or a core. So commands need no flag where the service was set up. Reported on stderr. The service itself
 * always needs an explicit configuration.
 */
export function withOwnConfig(flags: Flags, environment: Environment = processEnvironment()): Flags {
  if (!hasOwnConfig(flags, environment)) return flags;
  process.stderr.write(`Using the configuration ${ownConfigFile} of this directory.\n`);
  return { ...flags, config: ownConfigFile };
}

/** Whether {@link withOwnConfig} finds one. */
export function hasOwnConfig(flags: Flags, environment: Environment = processEnvironment()): boolean {
  return !namesService(flags, environment) && existsSync(ownConfigFile);
}

/** Whether a flag or a variable names the configuration or the core. */
export function namesService(flags: Flags, environment: Environment = processEnvironment()): boolean {
  const named = [flags.config, flags.core, environment.TOLLFREE_CONFIG, environment.TOLLFREE_CORE];
  return named.some((name) => typeof name === 'string' && name !== '');
}

/** Refuses a database URL with a password in an argument. `instead` says where the password belongs. */
export function refuseUrlPassword(url: unknown, flag: string, instead: string): void {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  if (parsed === null || (parsed.password === '' && !parsed.searchParams.has('password'))) return;
  throw mistake(
    `${flag} contains a password, which every user of this machine can read in the process list. ` +
      `Remove it from the URL, and set it ${instead}.`,
  );
}

/** Largest configuration file that is read, in bytes. */
const maxFileBytes = 1_048_576;

/**
 * The text of a configuration file and its value: JSON with optional comments and trailing commas. Throws a `CliError` with
 * one sentence.
 */
export function readConfigFile(file: string): { readonly text: string; readonly content: unknown } {
  const text = readText(file);
  if (text.length > maxFileBytes) throw mistake(`The configuration file ${file} is larger than 1 MiB.`);
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { text, content };
  const line = text.slice(0, first.offset).split('\n').length;
  const reason = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  throw mistake(`The configuration file ${file} is not valid JSON: ${reason} in line ${line}.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw mistake(
      `The configuration file ${file} cannot be read. Check the path and that this user may read it.`,
      error,
    );
  }
}

const addressKeys = new Set(['listen', 'address']);
const relativeSocket = /^unix:([^/].*)$/;

/**
 * Makes the values of keys that end in `File` or `Files`, and `unix:` addresses, absolute; relative ones are relative to
 * `folder`.
 */
export function resolveFiles(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveFiles(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isPath = key.endsWith('File') && typeof inner === 'string' && inner !== '';
      if (key.endsWith('Files') && Array.isArray(inner)) {
        return [key, inner.map((file) => (typeof file === 'string' && file !== '' ? resolve(folder, file) : file))];
      }
      if (isPath) return [key, resolve(folder, inner)];
      const socket = addressKeys.has(key) && typeof inner === 'string' ? relativeSocket.exec(inner)?.[1] : undefined;
      return [key, socket === undefined ? resolveFiles(inner, folder) : `unix:${resolve(folder, socket)}`];
    }),
  );
}

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

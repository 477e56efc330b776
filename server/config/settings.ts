import type { Command } from 'commander';

/** Adds `--config` and the flags of settings to a command. */
export function withSettings(command: Command, settings: readonly Setting[]): Command {
  command.option('-c, --config <file>', 'configuration file (TOLLFREE_CONFIG)');
  for (const { flag, description, variable } of [...settings, logLevelSetting]) {
    command.option(flag, `${description} (${variable})`);
  }
  return command;
}

/** A setting that a flag or the environment can override. */
type Setting = {
  /** Its path in the configuration file. */
  readonly path: readonly string[];
  readonly variable: string;
  /** commander's name of the flag, e.g. `databaseFile` for `--database-file`. */
  readonly option: string;
  readonly flag: string;
  readonly description: string;
  /** A path given outside the file is relative to the working directory, one in the file to the file's folder. */
  readonly kind: 'text' | 'file';
};

function setting(path: readonly string[], option: string, value: string, description: string): Setting {
  const kebab = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    path,
    option,
    flag: `--${kebab} <${value}>`,
    variable: `TOLLFREE_${kebab.replaceAll('-', '_').toUpperCase()}`,
    description,
    kind: value === 'file' ? 'file' : 'text',
  };
}

const databaseFile = setting(['databaseFile'], 'databaseFile', 'file', 'SQLite file');
const databaseUrl = setting(
  ['databaseUrl'],
  'databaseUrl',
  'url',
  'PostgreSQL database, like postgres://user@host/name, instead of a SQLite file',
);
const masterKeyFile = setting(['masterKeyFile'], 'masterKeyFile', 'file', 'file with the 32-byte master key in hex');
const grpcListen = setting(['grpc', 'listen'], 'grpcListen', 'address', 'gRPC address (host:port or unix:/path)');
const grpcTokenFile = setting(
  ['grpc', 'tokenFile'],
  'grpcTokenFile',
  'file',
  'file with the token that gRPC on loopback requires',
);
const keepDays = setting(['decisions', 'keepDays'], 'decisionsKeepDays', 'days', 'days that decision records are kept');
const keepMost = setting(
  ['decisions', 'keepMost'],
  'decisionsKeepMost',
  'number',
  'maximum number of decision records',
);
const listen = setting(['gateway', 'listen'], 'listen', 'host:port', 'address of the public HTTP interface');
const adminListen = setting(
  ['gateway', 'adminListen'],
  'adminListen',
  'host:port',
  'address of health, readiness and metrics',
);
const publicUrl = setting(
  ['dashboard', 'publicUrl'],
  'publicUrl',
  'url',
  'public URL of the dashboard, like https://gas.example.org',
);
const signUp = setting(
  ['dashboard', 'signUp'],
  'signUp',
  'mode',
  'who gets an account by signing in: open, invited or closed',
);
const core = setting(
  ['core', 'address'],
  'core',
  'address',
  'gRPC address of the core, or comma-separated addresses of several cores with one database',
);
const coreTokenFile = setting(
  ['core', 'tokenFile'],
  'coreTokenFile',
  'file',
  'file with the token that the core requires',
);

/** For every command. */
const logLevelSetting = setting(['logLevel'], 'logLevel', 'level', 'debug, info, warn or error');

/** The location of the state. */
export const databaseSettings: readonly Setting[] = [databaseFile, databaseUrl];
/** The keys that open it. */
export const storeSettings: readonly Setting[] = [...databaseSettings, masterKeyFile];
export const coreSettings: readonly Setting[] = [
  ...storeSettings,
  grpcListen,
  grpcTokenFile,
  keepDays,
  keepMost,
  signUp,
];
export const gatewaySettings: readonly Setting[] = [listen, adminListen, publicUrl];
export const coreConnectionSettings: readonly Setting[] = [core, coreTokenFile];

export const allSettings: readonly Setting[] = [
  logLevelSetting,
  ...coreSettings,
  ...gatewaySettings,
  ...coreConnectionSettings,
];

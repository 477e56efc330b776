import { resolve } from 'node:path';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { entryPointFlag, type Flags } from '../../clients/cli/terminal/flags.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { isLogLevel, type LogLevel } from '../config/config-schema.ts';
import { defaultEntryPointVersion } from './dev-file.ts';
import { type DevFork, devForks } from './devnet/devnet.ts';

/** The ports of `tollfree dev`, and their listeners. */
export const devPorts = {
  port: { usual: 3_000, listener: 'the HTTP interface' },
  grpcPort: { usual: 50_051, listener: 'gRPC' },
  chainPort: { usual: 8_545, listener: 'the development chain' },
  adminPort: { usual: 9_464, listener: 'health and metrics' },
  bundlerPort: { usual: 4_337, listener: 'the bundler' },
} as const;
export type DevPort = keyof typeof devPorts;

export type DevOptions = Readonly<Record<DevPort, number>> & {
  /** Ports named by the developer: used or refused. Any other port may be replaced if it is taken. */
  readonly namedPorts: ReadonlySet<DevPort>;
  /** Absolute path. */
  readonly data: string;
  readonly nodeUrl?: string;
  /** The EntryPoint of the default paymaster. */
  readonly entryPoint: EntryPointVersion;
  /** A node of a public chain, from which accounts are copied. Its URL may contain a key. */
  readonly accountsFrom?: string;
  /** Whose gas prices a started chain has. */
  readonly fork: DevFork;
  readonly json: boolean;
  /** Starts over: a new chain, new keys, tokens and settings. */
  readonly fresh: boolean;
  /** Prints every address and transaction, and everything else that is usually omitted. */
  readonly verbose: boolean;
  /** If the developer sets it, the log goes to stderr; otherwise to a file. */
  readonly logLevel: LogLevel | undefined;
};

export const devPortNames = ['port', 'grpcPort', 'chainPort', 'adminPort', 'bundlerPort'] as const satisfies DevPort[];

export function readDevOptions(flags: Flags): DevOptions {
  return {
    port: portOf(flags, 'port'),
    grpcPort: portOf(flags, 'grpcPort'),
    chainPort: portOf(flags, 'chainPort'),
    adminPort: portOf(flags, 'adminPort'),
    bundlerPort: portOf(flags, 'bundlerPort'),
    namedPorts: new Set(devPortNames.filter((option) => flags[option] !== undefined)),
    data: resolve(typeof flags.data === 'string' ? flags.data : '.tollfree'),
    json: flags.json === true,
    fresh: flags.fresh === true,
    verbose: flags.verbose === true,
    logLevel: logLevelOf(flags.logLevel),
    fork: forkOf(flags.fork, flags.nodeUrl),
    entryPoint: entryPointFlag(flags) ?? defaultEntryPointVersion,
    ...omitAbsent({ nodeUrl: urlOf(flags, 'nodeUrl'), accountsFrom: urlOf(flags, 'accountsFrom') }),
  };
}

/** The flag of an option, as typed. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function portOf(flags: Flags, option: DevPort): number {
  const given = flags[option];
  if (given === undefined) return devPorts[option].usual;
  const port = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= 65_535)) throw mistake(`${flagOf(option)} must be a port from 0 to 65535; 0 takes any free one.`);
  return port;
}

function logLevelOf(given: unknown): LogLevel | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && isLogLevel(given)) return given;
  throw mistake('--log-level must be one of: debug, info, warn, error.');
}

function forkOf(given: unknown, nodeUrl: unknown): DevFork {
  if (given !== undefined && nodeUrl !== undefined) throw mistake('A node has its own fork: leave out --fork.');
  const fork = given === undefined ? 'osaka' : devForks.find((name) => name === given);
  if (fork === undefined) throw mistake(`--fork must be one of: ${devForks.join(', ')}.`);
  return fork;
}

function urlOf(flags: Flags, option: 'nodeUrl' | 'accountsFrom'): string | undefined {
  const given = flags[option];
  if (given === undefined) return undefined;
  if (typeof given !== 'string' || !/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw mistake(`${flagOf(option)} must be an http or https URL.`);
  }
  return given;
}

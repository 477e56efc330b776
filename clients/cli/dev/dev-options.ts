import { resolve } from 'node:path';
import { mistake } from '../cli-error.ts';
import { isLogLevel, type LogLevel } from '../config/config-schema.ts';
import type { Flags } from '../config/load-config.ts';

export type DevOptions = {
  readonly port: number;
  readonly grpcPort: number;
  readonly chainPort: number;
  readonly adminPort: number;
  readonly bundlerPort: number;
  /** Absolute path. */
  readonly data: string;
  readonly nodeUrl?: string;
  readonly json: boolean;
  /** New keys and tokens in the place of those of an earlier run. */
  readonly fresh: boolean;
  readonly logLevel: LogLevel;
};

/** Reads the flags of `tollfree dev`. */
export function readDevOptions(flags: Flags): DevOptions {
  return {
    port: portOf(flags, 'port', 3_000),
    grpcPort: portOf(flags, 'grpcPort', 50_051),
    chainPort: portOf(flags, 'chainPort', 8_545),
    adminPort: portOf(flags, 'adminPort', 9_464),
    bundlerPort: portOf(flags, 'bundlerPort', 4_337),
    data: resolve(typeof flags.data === 'string' ? flags.data : '.tollfree'),
    json: flags.json === true,
    fresh: flags.fresh === true,
    logLevel: logLevelOf(flags.logLevel),
    ...nodeUrlOf(flags.nodeUrl),
  };
}

/** The flag of a port option, as it is typed. */
export function portFlag(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function portOf(flags: Flags, option: string, usual: number): number {
  const given = flags[option];
  if (given === undefined) return usual;
  const port = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= 65_535)) throw mistake(`${portFlag(option)} must be a port from 0 to 65535; 0 takes any free one.`);
  return port;
}

function logLevelOf(given: unknown): LogLevel {
  if (given === undefined) return 'warn';
  if (typeof given === 'string' && isLogLevel(given)) return given;
  throw mistake('--log-level must be one of: debug, info, warn, error.');
}

function nodeUrlOf(given: unknown): { nodeUrl?: string } {
  if (given === undefined) return {};
  if (typeof given !== 'string' || !/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw mistake('--node-url must be an http or https URL.');
  }
  return { nodeUrl: given };
}

import { resolve } from 'node:path';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Environment } from '../../clients/cli/terminal/environment.ts';
import { allSettings } from './settings.ts';

type JsonObject = Record<string, unknown>;

/** The raw configuration after flags and environment, and the source of each overridden setting. */
export type RawConfig = {
  readonly value: unknown;
  /** Dotted path → the flag or variable it came from. */
  readonly origins: ReadonlyMap<string, string>;
};

/** Settings of a chain that a container can pass besides the file: TOLLFREE_CHAIN_<chainId>_<name>. */
const chainVariable = /^TOLLFREE_CHAIN_(?<chainId>\d+)_(?<name>NODE_URLS|BUNDLER_URL|VENDOR_URL|SIGNER_PASSWORD_FILE)$/;

/** Applies flags over environment over the file's content. Empty variables count as absent. */
export function applyOverrides(
  fileContent: unknown,
  sources: { environment: Environment; flags: Readonly<Record<string, unknown>> },
): RawConfig {
  const value: unknown = structuredClone(fileContent);
  const origins = new Map<string, string>();
  if (!isObject(value)) return { value, origins };
  applyChainVariables(value, sources.environment, origins);
  for (const { path, variable, option, flag, kind } of allSettings) {
    const fromFlag = sources.flags[option];
    const fromVariable = sources.environment[variable];
    const given = typeof fromFlag === 'string' ? fromFlag : fromVariable;
    if (given === undefined || given === '') continue;
    setAt(value, path, kind === 'file' ? resolve(given) : given);
    origins.set(path.join('.'), typeof fromFlag === 'string' ? (flag.split(' ')[0] ?? flag) : variable);
  }
  return { value, origins };
}

function applyChainVariables(config: JsonObject, environment: Environment, origins: Map<string, string>): void {
  const chains = Array.isArray(config.chains) ? config.chains : [];
  for (const [variable, given] of Object.entries(environment)) {
    const groups = chainVariable.exec(variable)?.groups;
    if (groups === undefined || given === undefined || given === '') continue;
    const index = chains.findIndex((chain) => isObject(chain) && chain.chainId === Number(groups.chainId));
    const chain: unknown = chains[index];
    if (!isObject(chain)) throw mistake(`${variable} is set, but the configuration has no chain ${groups.chainId}.`);
    if (groups.name === 'NODE_URLS') {
      chain.nodeUrls = given.split(',').map((url) => url.trim());
      origins.set(`chains.${index}.nodeUrls`, variable);
    } else if (groups.name === 'BUNDLER_URL') {
      const path = isObject(chain.bundler) ? ['bundler', 'url'] : ['bundlerUrl'];
      const urls = given.split(',').map((url) => url.trim());
      setAt(chain, path, urls.length === 1 ? urls[0] : urls);
      origins.set(`chains.${index}.${path.join('.')}`, variable);
    } else if (groups.name === 'VENDOR_URL') {
      setAt(chain, ['vendor', 'url'], given);
      origins.set(`chains.${index}.vendor.url`, variable);
    } else {
      setAt(chain, ['signer', 'passwordFile'], resolve(given));
      origins.set(`chains.${index}.signer.passwordFile`, variable);
    }
  }
}

/** `path` comes from our own table, never from input. */
function setAt(target: JsonObject, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const next = target[key];
  const inner: JsonObject = isObject(next) ? next : {};
  target[key] = inner;
  setAt(inner, rest, value);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { existsSync } from 'node:fs';
import { type Environment, processEnvironment } from '../../clients/cli/terminal/environment.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';

/** The name of a configuration that is found without being named. */
export const ownConfigFile = 'tollfree.json';

/**
 * The flags of an operator's command, with the configuration of the working directory where neither flag nor variable names
 * one, nor a core: so that the commands of a service need no flag where it was set up. It is said on stderr. A service
 * itself is always told its configuration.
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

/** Whether a flag or a variable says which configuration or which core. */
export function namesService(flags: Flags, environment: Environment = processEnvironment()): boolean {
  const named = [flags.config, flags.core, environment.TOLLFREE_CONFIG, environment.TOLLFREE_CORE];
  return named.some((name) => typeof name === 'string' && name !== '');
}

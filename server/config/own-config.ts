import { existsSync } from 'node:fs';
import { type Environment, processEnvironment } from '../../clients/cli/terminal/environment.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';

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

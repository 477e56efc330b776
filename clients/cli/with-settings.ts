import type { Command } from 'commander';
import { logLevelSetting, type Setting } from './config/settings.ts';

/** Adds the flag that has a command print its answer as JSON. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the answer as one line of JSON');
}

/** Adds `--config` and the flags of settings to a command. */
export function withSettings(command: Command, settings: readonly Setting[]): Command {
  command.option('-c, --config <file>', 'configuration file (TOLLFREE_CONFIG)');
  for (const { flag, description, variable } of [...settings, logLevelSetting]) {
    command.option(flag, `${description} (${variable})`);
  }
  return command;
}

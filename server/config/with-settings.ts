import type { Command } from 'commander';
import { logLevelSetting, type Setting } from './settings.ts';

/** Adds `--config` and the flags of settings to a command. */
export function withSettings(command: Command, settings: readonly Setting[]): Command {
  command.option('-c, --config <file>', 'configuration file (TOLLFREE_CONFIG)');
  for (const { flag, description, variable } of [...settings, logLevelSetting]) {
    command.option(flag, `${description} (${variable})`);
  }
  return command;
}

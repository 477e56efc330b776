import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';
import { coreConnectionSettings, coreSettings, gatewaySettings } from '../config/settings.ts';
import { withSettings } from '../config/with-settings.ts';

/** Adds `config check`, with the flags of a service. */
export function registerConfigCommands(program: Command): void {
  const group = program.command('config').description('check the configuration of a service');
  withJson(
    withSettings(group.command('check').description('report every mistake in a configuration; uses no network'), [
      ...gatewaySettings,
      ...coreSettings,
      ...coreConnectionSettings,
    ]),
  ).action((flags) => runCommand(async () => (await import('./show-mistakes.ts')).showMistakes(flags)));
}

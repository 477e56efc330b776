import type { Command } from 'commander';
import { coreConnectionSettings, coreSettings, gatewaySettings } from '../config/settings.ts';
import { runCommand } from '../run-command.ts';
import { withJson, withSettings } from '../with-settings.ts';

/** Adds `config check`, with the flags that a service takes. */
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

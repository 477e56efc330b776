import type { Command } from 'commander';
import { coreConnectionSettings, coreSettings, gatewaySettings } from '../config/settings.ts';
import { runCommand } from '../run-command.ts';
import { withJson, withSettings } from '../with-settings.ts';

/** Adds `config check`, with the flags that a service takes. */
export function registerConfigCommands(program: Command): void {
  const group = program.command('config').description('look at the configuration of a service');
  withJson(
    withSettings(group.command('check').description('name every mistake of a configuration; asks no network'), [
      ...gatewaySettings,
      ...coreSettings,
      ...coreConnectionSettings,
    ]),
  ).action((flags) => runCommand(async () => (await import('./show-mistakes.ts')).showMistakes(flags)));
}

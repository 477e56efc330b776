import type { Command } from 'commander';
import { coreConnectionSettings, coreSettings, gatewaySettings } from '../config/settings.ts';
import { runCommand } from '../run-command.ts';
import { withJson, withSettings } from '../with-settings.ts';

/** Adds `doctor`, with the flags that a service takes. */
export function registerDoctorCommand(program: Command): void {
  withJson(
    withSettings(
      program.command('doctor').description('check an installation and its chains, and report how to fix problems'),
      [...gatewaySettings, ...coreSettings, ...coreConnectionSettings],
    ),
  ).action((flags) => runCommand(async () => (await import('./show-findings.ts')).showFindings(flags)));
}

import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';
import { coreConnectionSettings, coreSettings, gatewaySettings } from '../config/settings.ts';
import { withSettings } from '../config/with-settings.ts';

/** Adds `doctor`, with the flags of a service. */
export function registerDoctorCommand(program: Command): void {
  withJson(
    withSettings(
      program.command('doctor').description('check an installation and its chains, and report how to fix problems'),
      [...gatewaySettings, ...coreSettings, ...coreConnectionSettings],
    ),
  ).action((flags) => runCommand(async () => (await import('./show-findings.ts')).showFindings(flags)));
}

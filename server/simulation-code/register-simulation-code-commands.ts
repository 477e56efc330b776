import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withChain, withPayer } from '../paymaster-contract/with-chain-flags.ts';

/** Adds `simulation-code`: deployed code that makes simulation requests small. */
export function registerSimulationCodeCommands(program: Command): void {
  const group = program
    .command('simulation-code')
    .description('deploy the simulation code on a chain once, so that it is not sent with every node request');
  withChain(group.command('status').description('show whether it is on the chains; changes nothing')).action((flags) =>
    runCommand(async () => (await import('./show-simulation-code.ts')).showSimulationCode(flags)),
  );
  withPayer(withChain(group.command('deploy').description('deploy the missing parts; they have no owner'))).action(
    (flags) => runCommand(async () => (await import('./deploy-simulation-code.ts')).deploySimulationCode(flags)),
  );
}

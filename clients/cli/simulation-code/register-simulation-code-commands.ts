import type { Command } from 'commander';
import { withChain, withPayer } from '../paymaster-contract/with-chain-flags.ts';
import { runCommand } from '../run-command.ts';

/** Adds `simulation-code`: what simulations need on chain to be small. */
export function registerSimulationCodeCommands(program: Command): void {
  const group = program
    .command('simulation-code')
    .description('put the code that simulates on a chain once, so that it is not sent with every question to a node');
  withChain(group.command('status').description('whether it is on the chains; changes nothing')).action((flags) =>
    runCommand(async () => (await import('./show-simulation-code.ts')).showSimulationCode(flags)),
  );
  withPayer(withChain(group.command('deploy').description('deploy what of it is not there; nobody owns it'))).action(
    (flags) => runCommand(async () => (await import('./deploy-simulation-code.ts')).deploySimulationCode(flags)),
  );
}

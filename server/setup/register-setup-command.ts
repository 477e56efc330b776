import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';
import { withInitFlags } from '../init/register-init-command.ts';
import { withPayerKey } from '../paymaster-contract/with-chain-flags.ts';

/** Adds `setup`, which completes a setup. */
export function registerSetupCommand(program: Command): void {
  const setup = program
    .command('setup')
    .description(
      'configuration, keys, contract, stake, account, authToken, paymaster and deposit; skips what is there',
    );
  withJson(withPayerKey(withInitFlags(setup)))
    .option('--stake <amount>', 'stake of the contract, or none (default: what bundlers want on the chain)')
    .option('--deposit <amount>', 'first deposit into the gas tank, or none (default "0.01 ether")')
    .option('--account-name <name>', 'account that gets the paymaster (default "My app")')
    .option('--paymaster-name <name>', 'name of the first paymaster (default main)')
    .option('--answers <file>', 'JSON object with values for these flags, like { "chain": "base", "yes": true }')
    .option('--yes', 'without asking: send transactions')
    .action((flags, command: Command) =>
      runCommand(async () => {
        const known = command.options.map((option) => option.attributeName());
        await (await import('./set-up.ts')).setUp(flags, known);
      }),
    );
}

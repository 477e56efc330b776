import type { Command } from 'commander';
import { withJson } from '../../clients/cli/terminal/print-answer.ts';
import { commandOf, runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withPayerKey } from '../paymaster-contract/with-chain-flags.ts';

/** Adds `init`. Answers without a flag are asked at the terminal. */
export function registerInitCommand(program: Command): void {
  const init = program
    .command('init')
    .description('write a commented configuration, a master key and a signing key; overwrites nothing');
  withJson(withInitFlags(init)).action(commandOf(() => import('../init/initialize.ts'), 'initialize'));
}

/** Adds the flags that answer the questions. */
function withInitFlags(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file, which is written (default tollfree.json)')
    .option('--chain <chain>', 'chain, by its id or a name like base')
    .option('--node-url <urls>', 'JSON-RPC nodes of the chain, comma-separated')
    .option('--coin-usd <price>', 'fixed price of the coin, for a chain without well-known price sources')
    .option('--entry-point <version>', 'EntryPoint of your accounts: 0.6, 0.7, 0.8 or 0.9 (default 0.8)')
    .option('--family <family>', 'family of the paymaster contract (default pimlico-singleton-0.8)')
    .option('--data <folder>', "folder of the database, relative to the configuration's (default data)")
    .option('--sign-up <mode>', 'who gets an account by signing in: open, invited or closed (default closed)')
    .option('--public-url <url>', 'public URL of the dashboard, like https://gas.example.org (default none)')
    .option('--trusted-proxies <ranges>', 'proxies in front, as addresses or CIDR ranges with commas (default none)')
    .option('--signer-password-file <file>', 'file with the password for the new signing key (default: a new one)')
    .option('--ask-signer-password', 'ask for that password, here and at every start of the service');
}

/** Adds `setup`, which completes a setup. */
export function registerSetupCommand(program: Command): void {
  const setup = program
    .command('setup')
    .description(
      'create configuration, keys, contract, stake, account, authToken, paymaster and deposit; skips what is there',
    );
  withJson(withPayerKey(withInitFlags(setup)))
    .option('--stake <amount>', 'stake of the contract, or none (default: what bundlers want on the chain)')
    .option('--deposit <amount>', 'first deposit into the gas tank, or none (default "0.01 ether")')
    .option('--account-name <name>', 'account that gets the paymaster (default "My app")')
    .option('--paymaster-name <name>', 'name of the first paymaster (default main)')
    .option('--daily-limit <usd>', 'what all operations of a day may cost, in USD, or none (default 50)')
    .option('--answers <file>', 'JSON object with values for these flags, like { "chain": "base", "yes": true }')
    .option('--yes', 'without asking: send transactions')
    .action((flags, command: Command) =>
      runCommand(async () => {
        const known = command.options.map((option) => option.attributeName());
        await (await import('./set-up.ts')).setUp(flags, known);
      }),
    );
}

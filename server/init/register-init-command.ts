import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';

/** Adds `init`. Answers without a flag are asked at the terminal. */
export function registerInitCommand(program: Command): void {
  const init = program
    .command('init')
    .description('write a commented configuration, a master key and a signing key; overwrites nothing');
  withJson(withInitFlags(init)).action((flags) =>
    runCommand(async () => (await import('./initialize.ts')).initialize(flags)),
  );
}

/** Adds the flags that answer the questions. */
export function withInitFlags(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file, which is written (default tollfree.json)')
    .option('--chain <chain>', 'chain, by its id or a name like base')
    .option('--node-url <urls>', 'JSON-RPC nodes of the chain, comma-separated')
    .option('--coin-usd <price>', 'fixed price of the coin, for a chain without well-known price sources')
    .option('--family <family>', 'family of the paymaster contract (default pimlico-singleton-0.8)')
    .option('--data <folder>', "folder of the database, relative to the configuration's (default data)")
    .option('--sign-up <mode>', 'who gets an account by signing in: open, invited or closed (default closed)')
    .option('--public-url <url>', 'public URL of the dashboard, like https://gas.example.org (default none)')
    .option('--trusted-proxies <ranges>', 'proxies in front, as addresses or CIDR ranges with commas (default none)')
    .option('--signer-password-file <file>', 'file with the password for the new signing key (default: a new one)')
    .option('--ask-signer-password', 'ask for that password, here and at every start of the service');
}

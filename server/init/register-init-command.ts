import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';

/** Adds `init`. What a flag does not say is asked at the terminal. */
export function registerInitCommand(program: Command): void {
  program
    .command('init')
    .description('write a commented configuration, a master key and a signing key; overwrites nothing')
    .option('-c, --config <file>', 'the configuration to write (default tollfree.json)')
    .option('--chain <name|id>', 'chain to sponsor on: an id, or a name like sepolia or base')
    .option('--node-url <urls>', 'JSON-RPC nodes of the chain, comma-separated')
    .option('--coin-usd <price>', 'fixed price of the coin, for a chain without well-known price sources')
    .option('--family <family>', 'family of the paymaster contract (default pimlico-singleton-0.8)')
    .option('--data <folder>', "folder of the database, relative to the configuration's (default data)")
    .option('--sign-up <mode>', 'who gets an account by signing in: open, invited or closed (default closed)')
    .option('--public-url <url>', 'public URL of the dashboard, like https://gas.example.org (default none)')
    .option('--password-file <file>', 'file with the password of the new signing key in its first line')
    .option('--json', 'print what was written as one line of JSON')
    .action((flags) => runCommand(async () => (await import('./initialize.ts')).initialize(flags)));
}

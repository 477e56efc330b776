import type { Command } from 'commander';
import { withJson } from '../../clients/cli/terminal/with-json.ts';

/** Adds where: the configuration, and which of its chains. */
export function withChain(command: Command): Command {
  return withJson(command)
    .option('-c, --config <file>', 'configuration file (TOLLFREE_CONFIG)')
    .option('--chain <chainId>', 'chain of the configuration (default its only one)');
}

/** Adds who sends and pays a transaction, and whether it is sent. */
export function withPayer(command: Command): Command {
  return command
    .option('--keystore <file>', 'encrypted V3 keystore of the account that sends and pays')
    .option('--password-file <file>', 'file with the password of the keystore in its first line')
    .option('--key-file <file>', 'file with the private key of that account, instead of a keystore')
    .option('--yes', 'send it; otherwise it asks at a terminal, or only does a dry run')
    .option('--dry-run', 'only a dry run, without asking');
}

import type { Command } from 'commander';
import { withJson } from '../../clients/cli/terminal/print-answer.ts';

/** Adds the flags for the configuration and the chain. */
export function withChain(command: Command): Command {
  return withJson(command)
    .option('-c, --config <file>', 'configuration file (TOLLFREE_CONFIG)')
    .option('--chain <chain>', 'chain, by its id or a name like base (default: the only one of the configuration)');
}

/** Adds the flags for the payer of a transaction, and whether to send it. */
export function withPayer(command: Command): Command {
  return withPayerKey(command)
    .option('--yes', 'without asking: send transactions (default: ask at a terminal, else a dry run)')
    .option('--dry-run', 'only a dry run, without asking');
}

/** Adds the flags for the payer of a transaction. */
export function withPayerKey(command: Command): Command {
  return command
    .option('--keystore <file>', 'encrypted V3 keystore of the wallet that signs and pays')
    .option('--password-file <file>', 'file with the password of the keystore in its first line')
    .option('--key-file <file>', 'file with the private key of that wallet, instead of a keystore');
}

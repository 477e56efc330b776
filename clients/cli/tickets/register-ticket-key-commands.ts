import type { Command } from 'commander';
import { withAccount } from '../register-management-commands.ts';
import { runCommand } from '../terminal/run-command.ts';

/** Adds `ticket-key`. */
export function registerTicketKeyCommands(program: Command): void {
  const load = () => import('./ticket-key-commands.ts');
  const key = program.command('ticket-key').description("choose the keys that sign a paymaster's tickets");
  withAccount(key.command('create <paymasterId> <name>').description('create a key and print it, or register one'))
    .option('--kind <kind>', 'HS256, ES256, EDDSA: generated; JWK: your public key; JWKS: an issuer’s list', 'ES256')
    .option('--public-key <file>', 'file with the public key (RFC 7517), for JWK')
    .option('--jwks-url <url>', 'URL of the key list, for JWKS')
    .option('--issuer <issuer>', 'required iss of a ticket; mandatory for JWKS')
    .option('--audience <audience>', 'required aud of a ticket; the paymasterId by default, mandatory for JWKS')
    .action((id, name, flags) => runCommand(async () => (await load()).createTicketKey(id, name, flags)));
  withAccount(key.command('list <paymasterId>').description('list the keys, without secrets')).action((id, flags) =>
    runCommand(async () => (await load()).listTicketKeys(id, flags)),
  );
  withAccount(
    key.command('delete <paymasterId> <ticketKeyId>').description('delete a key: its tickets are no longer accepted'),
  ).action((id, keyId, flags) => runCommand(async () => (await load()).deleteTicketKey(id, keyId, flags)));
}

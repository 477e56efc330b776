import type { Command } from 'commander';
import { withAccount } from '../register-management-commands.ts';
import { runCommand } from '../terminal/run-command.ts';
import { withKeyRules } from './key-rule-flags.ts';

/** Adds `key`: the apiKeys of a paymaster. */
export function registerKeyCommands(program: Command): void {
  const load = () => import('./key-commands.ts');
  const key = program.command('key').description("create, change and end a paymaster's apiKeys");
  withAccount(key.command('list <paymasterId>').description('list the apiKeys, without the keys')).action((id, flags) =>
    runCommand(async () => (await load()).listApiKeys(id, flags)),
  );
  withKeyRules(
    withAccount(key.command('create <paymasterId> <name>').description('create another apiKey, print it')),
  ).action((id, name, flags) => runCommand(async () => (await load()).createApiKey(id, name, flags)));
  withKeyRules(
    withAccount(key.command('update <paymasterId> <apiKeyId>').description('change the settings of an apiKey')),
  )
    .option('--name <name>', 'name it is listed under')
    .option('--active <yes|no>', 'whether it is active; no sponsors nothing with it')
    .action((id, keyId, flags) => runCommand(async () => (await load()).updateApiKey(id, keyId, flags)));
  withAccount(
    key
      .command('rotate <paymasterId> [apiKeyId]')
      .description("replace an apiKey, by default the paymaster's own; print the new one"),
  )
    .requiredOption('--grace-seconds <seconds>', 'how long earlier keys are still accepted; 0: not at all')
    .action((id, keyId, flags) => runCommand(async () => (await load()).rotateApiKey(id, keyId, flags)));
  withAccount(key.command('end <paymasterId> <apiKeyId>').description('end an apiKey immediately')).action(
    (id, keyId, flags) => runCommand(async () => (await load()).endApiKey(id, keyId, flags)),
  );
}

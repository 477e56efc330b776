import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withChain } from '../paymaster-contract/with-chain-flags.ts';

/** Adds `account-code`: the operator's additions to the published account code. */
export function registerAccountCodeCommands(program: Command): void {
  const load = () => import('./account-code-commands.ts');
  const group = program.command('account-code').description('make code of accounts known, without a restart');
  const withYes = (command: Command) =>
    withChain(command).option('--yes', 'without asking: write it (default: ask at a terminal, else only show it)');
  withYes(group.command('add <address>').description('add the code of an account, factory, proxy or implementation'))
    .option('--reads-like <account>', 'name and version of accounts that read their calls in the same way')
    .option('--as <role>', 'what the code is if it does not show: implementation or factory')
    .action((address, flags) => runCommand(async () => (await load()).addAccountCode(address, flags)));
  withChain(group.command('list').description('list the code that was added')).action((flags) =>
    runCommand(async () => (await load()).listAccountCodes(flags)),
  );
  withYes(group.command('remove <codeHash>').description('remove code that was added')).action((codeHash, flags) =>
    runCommand(async () => (await load()).removeAccountCode(codeHash, flags)),
  );
}

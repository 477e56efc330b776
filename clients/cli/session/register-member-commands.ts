import type { Command } from 'commander';
import { withAccount } from '../register-management-commands.ts';
import { runCommand } from '../terminal/run-command.ts';

/** Adds `member`: the wallets that sign in to an account, for its owners. */
export function registerMemberCommands(program: Command): void {
  const load = () => import('./member-commands.ts');
  const role = ['--role <role>', 'owner, manager or viewer'] as const;
  const member = program.command('member').description('list, invite and remove those who sign in to your account');
  withAccount(member.command('list').description('list the members and their roles')).action((flags) =>
    runCommand(async () => (await load()).listMembers(flags)),
  );
  withAccount(member.command('add <wallet>').description('invite a wallet'))
    .requiredOption(...role)
    .option('--chain-id <id>', 'chain id, of a contract wallet such as a Safe; leave it out for other wallets')
    .action((wallet, flags) => runCommand(async () => (await load()).addMember(wallet, flags)));
  withAccount(member.command('set <wallet>').description("change a member's role, effective immediately"))
    .requiredOption(...role)
    .action((wallet, flags) => runCommand(async () => (await load()).changeMember(wallet, flags)));
  withAccount(
    member.command('remove <wallet>').description('remove a member, its sessions and the authTokens it created'),
  ).action((wallet, flags) => runCommand(async () => (await load()).removeMember(wallet, flags)));
}

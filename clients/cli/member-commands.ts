import { type Role, roles } from '@tollfree/contract/access/role';
import { openManagement } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { chainIdFlag, type Flags, requiredFlag, textFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from './terminal/print-answer.ts';

export async function listMembers(flags: Flags): Promise<void> {
  const members = await openManagement(flags).client.listMembers();
  printAnswer(flags, members, () =>
    printRows(
      members.map(({ wallet, name, chainId, role, addedAt, joinedAt }) => ({
        wallet,
        name: name ?? '-',
        chain: chainId === undefined ? '-' : `${chainId}`,
        role,
        added: formatTime(addedAt),
        joined: joinedAt === undefined ? 'invited' : formatTime(joinedAt),
      })),
    ),
  );
}

export async function addMember(wallet: string, flags: Flags): Promise<void> {
  const role = roleFlag(flags);
  const chainId = chainIdFlag(flags);
  const name = textFlag(flags, 'name');
  const member = await openManagement(flags).client.addMember({ wallet, role, chainId, name });
  printAnswer(flags, member, () => printLine(`invited ${member.wallet} as ${member.role}`));
}

export async function changeMember(wallet: string, flags: Flags): Promise<void> {
  const role = roleFlag(flags);
  const member = await openManagement(flags).client.changeMember({ wallet, role });
  printAnswer(flags, member, () => printLine(`${member.wallet} is ${member.role}`));
}

export async function renameMember(wallet: string, name: string, flags: Flags): Promise<void> {
  const member = await openManagement(flags).client.renameMember({ wallet, name });
  printAnswer(flags, member, () => printLine(`${member.wallet} is called ${member.name}`));
}

export async function removeMember(wallet: string, flags: Flags): Promise<void> {
  await openManagement(flags).client.removeMember({ wallet });
  printAnswer(flags, { wallet }, () => printLine(`removed ${wallet}`));
}

function roleFlag(flags: Flags): Role {
  const text = requiredFlag(flags, 'role');
  const role = roles.find((one) => one === text);
  if (role === undefined) throw mistake(`--role must be one of ${roles.join(', ')}.`);
  return role;
}

import { type Role, roles } from '@tollfree/contract/access/role';
import { mistake } from './terminal/cli-error.ts';
import { chainIdFlag, type Flags, requiredFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from './terminal/print-answer.ts';
import { withManagement } from './with-management.ts';

/** `tollfree member list`. */
export async function listMembers(flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    const members = await client.listMembers();
    printAnswer(flags, members, () =>
      printRows(
        members.map(({ wallet, chainId, role, addedAt, joinedAt }) => ({
          wallet,
          chain: chainId === undefined ? '-' : `${chainId}`,
          role,
          added: formatTime(addedAt),
          joined: joinedAt === undefined ? 'invited' : formatTime(joinedAt),
        })),
      ),
    );
  });
}

/** `tollfree member add`. */
export async function addMember(wallet: string, flags: Flags): Promise<void> {
  const role = roleFlag(flags);
  const chainId = chainIdFlag(flags);
  await withManagement(flags, async (client) => {
    const member = await client.addMember({ wallet, role, ...(chainId === undefined ? {} : { chainId }) });
    printAnswer(flags, member, () => printLine(`invited ${member.wallet} as ${member.role}`));
  });
}

/** `tollfree member set`. */
export async function changeMember(wallet: string, flags: Flags): Promise<void> {
  const role = roleFlag(flags);
  await withManagement(flags, async (client) => {
    const member = await client.changeMember({ wallet, role });
    printAnswer(flags, member, () => printLine(`${member.wallet} is ${member.role}`));
  });
}

/** `tollfree member remove`. */
export async function removeMember(wallet: string, flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    await client.removeMember({ wallet });
    printAnswer(flags, { wallet }, () => printLine(`removed ${wallet}`));
  });
}

function roleFlag(flags: Flags): Role {
  const text = requiredFlag(flags, 'role');
  const role = roles.find((one) => one === text);
  if (role === undefined) throw mistake(`--role must be one of ${roles.join(', ')}.`);
  return role;
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag, yesNoFlag } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import type { Account } from '../../core/domain/sign-in.ts';
import { accepted } from '../accepted.ts';
import { withAccountLists, withAccounts } from '../open-accounts.ts';

/** `tollfree account create`: prints only the new accountId, for use in scripts. */
export async function createAccount(name: string | undefined, flags: Flags): Promise<void> {
  const wallet = textFlag(flags, 'wallet');
  if (name === undefined && wallet === undefined) {
    throw mistake('Name the account, or the wallet that it is for with --wallet.');
  }
  await withAccounts(flags, async (accounts) => {
    const account = accepted(
      await (wallet === undefined
        ? accounts.createAccount({ name: name ?? '' })
        : accounts.inviteAccount({ wallet, ...omitAbsent({ name }) })),
    );
    printAnswer(flags, account, () => {
      printLine(account.accountId);
      if (wallet === undefined) return;
      printHint(`${account.wallet} gets the account by signing in, if dashboard.signUp is invited or open.`);
    });
  });
}

export async function listAccounts(flags: Flags): Promise<void> {
  await withAccountLists(flags, async (accounts) => {
    const list = accepted(await accounts.listAccounts({}));
    printAnswer(flags, list, () => {
      if (list.length === 0) printHint('There are no accounts yet. Create one: tollfree account create <name>');
      else printRows(list.map(toRow));
    });
  });
}

export async function updateAccount(accountId: string, flags: Flags): Promise<void> {
  const wallet = textFlag(flags, 'wallet');
  const active = yesNoFlag(flags, 'active');
  if (wallet === undefined && active === undefined) throw mistake('Name a change, for instance with --wallet.');
  await withAccounts(flags, async (accounts) => {
    const linked = wallet === undefined ? undefined : accepted(await accounts.linkWallet({ accountId, wallet }));
    const changed =
      active === undefined ? undefined : accepted(await accounts.suspendAccount({ accountId, suspended: !active }));
    printAnswer(flags, changed ?? linked, () => {
      if (linked !== undefined) printLine(`${linked.wallet} signs in to ${accountId}`);
      if (active !== undefined) printLine(`${active ? 'resumed' : 'suspended'} ${accountId}`);
      if (active === false) printHint('Its paymasters continue to sponsor.');
    });
  });
}

function toRow({ accountId, createdAt, wallet, invited, suspendedAt, name }: Account): Record<string, string> {
  const state = suspendedAt === undefined ? (invited ? 'invited' : 'open') : 'suspended';
  return { accountId, created: formatTime(createdAt), wallet: wallet ?? '-', state, name };
}

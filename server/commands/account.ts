import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { formatTime, printRows } from '../../clients/cli/terminal/print-rows.ts';
import { requiredFlag, textFlag } from '../../clients/cli/terminal/text-flag.ts';
import type { Account } from '../../core/domain/account.ts';
import { accepted } from '../accepted.ts';
import { withAccountLists, withAccounts } from '../open-accounts.ts';

/** `tollfree account create`: prints the new accountId alone, so that it can be used in a script. */
export async function createAccount(name: string, flags: Flags): Promise<void> {
  await withAccounts(flags, async (accounts) => {
    const account = accepted(await accounts.createAccount({ name }));
    printAnswer(flags, account, () => printLine(account.accountId));
  });
}

/** `tollfree account list`. */
export async function listAccounts(flags: Flags): Promise<void> {
  await withAccountLists(flags, async (accounts) => {
    const list = accepted(await accounts.listAccounts({}));
    printAnswer(flags, list, () => {
      if (list.length === 0) printHint('There are no accounts yet. Create one: tollfree account create <name>');
      else printRows(list.map(toRow));
    });
  });
}

/** `tollfree account invite`: prints the new accountId alone. */
export async function inviteAccount(flags: Flags): Promise<void> {
  const input = { wallet: requiredFlag(flags, 'wallet'), ...omitAbsent({ name: textFlag(flags, 'name') }) };
  await withAccounts(flags, async (accounts) => {
    const account = accepted(await accounts.inviteAccount(input));
    printAnswer(flags, account, () => {
      printLine(account.accountId);
      printHint(`${account.wallet} gets the account by signing in, if dashboard.signUp is invited or open.`);
    });
  });
}

/** `tollfree account link-wallet`. */
export async function linkWallet(accountId: string, flags: Flags): Promise<void> {
  const wallet = requiredFlag(flags, 'wallet');
  await withAccounts(flags, async (accounts) => {
    const account = accepted(await accounts.linkWallet({ accountId, wallet }));
    printAnswer(flags, account, () => printLine(`${account.wallet} signs in to ${account.accountId}`));
  });
}

/** `tollfree account suspend`. */
export async function suspendAccount(accountId: string, flags: Flags): Promise<void> {
  await withAccounts(flags, async (accounts) => {
    const account = accepted(await accounts.suspendAccount({ accountId, suspended: true }));
    printAnswer(flags, account, () => {
      printLine(`suspended ${accountId}`);
      printHint('Its paymasters continue to sponsor.');
    });
  });
}

/** `tollfree account resume`. */
export async function resumeAccount(accountId: string, flags: Flags): Promise<void> {
  await withAccounts(flags, async (accounts) => {
    const account = accepted(await accounts.suspendAccount({ accountId, suspended: false }));
    printAnswer(flags, account, () => printLine(`resumed ${accountId}`));
  });
}

function toRow({ accountId, createdAt, wallet, invited, suspendedAt, name }: Account): Record<string, string> {
  const state = suspendedAt === undefined ? (invited ? 'invited' : 'open') : 'suspended';
  return { accountId, created: formatTime(createdAt), wallet: wallet ?? '-', state, name };
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag, yesNoFlag } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { scopesFlag } from '../../clients/cli/token-commands.ts';
import type { Account, AuthTokenRecord } from '../../core/domain/sign-in.ts';
import { accepted } from '../accepted.ts';
import { withAccountLists, withAccounts } from '../open-accounts.ts';
import { systemClock } from '../system-clock.ts';

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
    printAnswer(flags, list, () =>
      printRows(list.map(accountRow), 'There are no accounts yet. Create one: tollfree account create <name>'),
    );
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

function accountRow({ accountId, createdAt, wallet, invited, suspendedAt, name }: Account): Record<string, string> {
  const state = suspendedAt === undefined ? (invited ? 'invited' : 'open') : 'suspended';
  return { accountId, created: formatTime(createdAt), wallet: wallet ?? '-', state, name };
}

const secondsPerDay = 86_400;
const maxDays = 3_650;

/** `tollfree auth-token issue`: prints only the token on stdout, and instructions on stderr. */
export async function createAuthToken(accountId: string, flags: Flags): Promise<void> {
  const name = typeof flags.name === 'string' ? flags.name : 'cli';
  const expiresAt = expiryOf(flags.expiresInDays);
  const scopes = scopesFlag(flags);
  await withAccounts(flags, async (accounts) => {
    const input = { accountId, name, ...omitAbsent({ expiresAt, scopes }) };
    const { authToken, record } = accepted(await accounts.createAuthToken(input));
    printAnswer(flags, { authToken, ...record }, () => {
      printLine(authToken);
      const { authTokenId, expiresAt: end } = record;
      printHint(`It is shown only once. Its id is ${authTokenId}, it expires: ${formatTime(end)}`);
    });
  });
}

export async function listAuthTokens(accountId: string, flags: Flags): Promise<void> {
  await withAccountLists(flags, async (accounts) => {
    const list = accepted(await accounts.listAuthTokens({ accountId }));
    printAnswer(flags, list, () => printRows(list.map(tokenRow), 'This account has no authTokens.'));
  });
}

export async function revokeAuthToken(accountId: string, authTokenId: string, flags: Flags): Promise<void> {
  await withAccounts(flags, async (accounts) => {
    const record = accepted(await accounts.revokeAuthToken({ accountId, authTokenId }));
    printAnswer(flags, record, () => printLine(`revoked ${record.authTokenId}`));
  });
}

function tokenRow(record: AuthTokenRecord): Record<string, string> {
  return {
    authTokenId: record.authTokenId,
    scopes: record.scopes.join(','),
    created: formatTime(record.createdAt),
    expires: formatTime(record.expiresAt),
    revoked: formatTime(record.revokedAt),
    'last used': formatTime(record.lastUsedAt),
    name: record.name,
  };
}

function expiryOf(days: unknown): number | undefined {
  if (days === undefined) return undefined;
  const count = Number(days);
  if (!Number.isInteger(count) || count < 1 || count > maxDays) {
    throw mistake(`--expires-in-days must be a whole number from 1 to ${maxDays}.`);
  }
  return Math.floor(systemClock.now() / 1_000) + count * secondsPerDay;
}

import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../../store/database.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';
import { type AuditEntry, auditTime } from './audit-entry.ts';

/** An authToken unused for this long is probably not needed, in seconds: 90 days. */
const longUnused = 90 * 86_400;

/** Accounts and their credentials at `now` (Unix seconds): authTokens and sessions. */
export async function auditAccounts(db: Kysely<Database>, now: number): Promise<readonly AuditEntry[]> {
  const accounts = await db
    .selectFrom('accounts')
    .selectAll()
    .select((select) =>
      select
        .selectFrom('paymasters')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('paymasters.account_id', '=', 'accounts.account_id')
        .as('paymasters'),
    )
    .orderBy('created_at')
    .execute();
  const tokens = await db
    .selectFrom('auth_tokens')
    .innerJoin('accounts', 'accounts.account_id', 'auth_tokens.account_id')
    .selectAll('auth_tokens')
    .where('accounts.suspended_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('auth_tokens.created_at')
    .execute();
  // The account's own wallet, its owner, is reported with the account.
  const members = await db
    .selectFrom('account_members')
    .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
    .selectAll('account_members')
    .where('accounts.suspended_at', 'is', null)
    .where(({ eb, or, ref }) =>
      or([
        eb('role', '<>', 'owner'),
        eb('accounts.wallet', 'is', null),
        eb('accounts.wallet', '<>', ref('account_members.wallet')),
      ]),
    )
    .orderBy('added_at')
    .orderBy('account_members.wallet')
    .execute();
  const sessions = await db
    .selectFrom('sessions')
    .selectAll()
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', now - signInLimits.maxIdle)
    .execute();
  return [
    ...accounts.map((account) => accountEntry({ ...account, paymasters: account.paymasters ?? 0 })),
    ...members.map(memberEntry),
    ...tokens.map((token) => tokenEntry(token, now)),
    ...sessions.map(
      (session): AuditEntry => ({
        ...{ risk: 'none', kind: 'session', id: session.session_id, accountId: session.account_id },
        what: `signed in with ${session.wallet ?? 'an authToken'}, open until ${auditTime(session.expires_at)}, last seen ${auditTime(session.last_seen_at)}`,
      }),
    ),
  ];
}

function accountEntry(account: Selectable<Database['accounts']> & { readonly paymasters: number }): AuditEntry {
  const { account_id: id, name, wallet, invited, suspended_at: suspendedAt, paymasters } = account;
  const entry = { kind: 'account', id, accountId: id, name } as const;
  if (suspendedAt !== null) {
    const since = `suspended since ${auditTime(suspendedAt)}`;
    if (paymasters === 0) return { ...entry, risk: 'none', what: since };
    return { ...entry, risk: 'medium', what: `${since}; its paymasters continue to sponsor (${paymasters})` };
  }
  if (wallet === null) return { ...entry, risk: 'none', what: 'has no wallet that signs in' };
  if (invited === 1) return { ...entry, risk: 'low', what: `invited: ${wallet} has not signed in yet` };
  return { ...entry, risk: 'none', what: `${wallet} signs in` };
}

function memberEntry(member: Selectable<Database['account_members']>): AuditEntry {
  const { account_id: accountId, wallet: id, role, added_at: addedAt, joined_at: joinedAt } = member;
  const entry = { kind: 'member', id, accountId } as const;
  if (joinedAt === null) {
    return { ...entry, risk: 'low', what: `invited as ${role} ${auditTime(addedAt)}, has not signed in yet` };
  }
  return { ...entry, risk: 'none', what: `signs in as ${role}, for the first time ${auditTime(joinedAt)}` };
}

function tokenEntry(token: Selectable<Database['auth_tokens']>, now: number): AuditEntry {
  const { auth_token_id: id, account_id: accountId, name, created_at: createdAt } = token;
  const { last_used_at: usedAt, expires_at: expiresAt } = token;
  const isUnused = (usedAt ?? createdAt) <= now - longUnused;
  const isEndless = expiresAt === null;
  const used = usedAt === null ? `never used, issued ${auditTime(createdAt)}` : `last used ${auditTime(usedAt)}`;
  return {
    risk: isEndless && isUnused ? 'high' : isEndless ? 'medium' : isUnused ? 'low' : 'none',
    kind: 'authToken',
    ...{ id, accountId, name },
    what: `${used}, ${isEndless ? 'never expires' : `expires ${auditTime(expiresAt)}`}`,
  };
}

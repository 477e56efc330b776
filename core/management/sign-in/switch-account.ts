import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { scopesOfRole } from '../../domain/access/scope.ts';
import type { Core } from '../../domain/core.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { SignUpMode } from '../../domain/sign-in.ts';
import type { Store } from '../../store/store.ts';
import type { FindSession } from '../accounts/find-session.ts';
import { joinAccount } from '../members/membership.ts';
import { beginSession } from './begin-session.ts';
import { toIdentity } from './to-identity.ts';

const unauthenticated = refuse({ reason: 'UNAUTHENTICATED', message: 'Auth token is required in the headers' });
const notAMember = refuse({ reason: 'NOT_A_MEMBER', message: 'Wallet is not a member of this account' });
const suspended = refuse({ reason: 'ACCOUNT_SUSPENDED', message: 'Account is suspended' });

/**
 * `Core.switchAccount`. The transaction that starts the new session ends the current one, and the new one keeps its expiry.
 */
export function switchAccount(parts: {
  store: Store;
  clock: Clock;
  signUp: SignUpMode;
  findSession: FindSession;
  digestSession: (session: string) => string;
}): Core['switchAccount'] {
  const { store, clock, signUp, findSession, digestSession } = parts;
  return async ({ session: former, accountId }) => {
    const found = await findSession(former);
    if (found === undefined) return unauthenticated;
    const { sessionId, accountId: leftAccountId, wallet, chainId, expiresAt: endsBy } = found;
    if (wallet === null) return notAMember;
    const now = unixSeconds(clock);
    const begun = await store.transaction(async (trx) => {
      const account = await trx
        .selectFrom('account_members')
        .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
        .selectAll('accounts')
        .where('account_members.wallet', '=', wallet)
        .where('account_members.chain_id', chainId === null ? 'is' : '=', chainId)
        .where('account_members.account_id', '=', accountId)
        .executeTakeFirst();
      if (account === undefined) return notAMember;
      if (account.suspended_at !== null) return suspended;
      // It may have ended since it was found: of several calls with one session, exactly one succeeds.
      const ended = await trx.deleteFrom('sessions').where('session_id', '=', sessionId).executeTakeFirstOrThrow();
      if (ended.numDeletedRows === 0n) return unauthenticated;
      const role = await joinAccount(trx, { accountId, wallet, now });
      const beginning = await beginSession(trx, digestSession, { accountId, wallet, endsBy, now });
      return accept({ ...beginning, account, role, leftAccountId, leftSessionId: sessionId });
    });
    if (!begun.ok) return begun;
    const { session, expiresAt, account, role } = begun.value;
    const identity = toIdentity(account, { wallet, chainId, role, expiresAt, signUp, scopes: scopesOfRole[role] });
    return accept({ session, identity });
  };
}

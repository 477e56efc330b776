import { unixSeconds } from '../../base/time/clock.ts';
import { scopesOfRole } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Identity } from '../../domain/sign-in.ts';
import type { FindAuthToken, FoundAuthToken } from '../accounts/find-auth-token.ts';
import type { FindSession, FoundSession } from '../accounts/find-session.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';
import { joinAccount } from '../membership.ts';
import { beginSession, toIdentity } from './begin-session.ts';
import { createNonce, type SignInParts, signInWithWallet } from './sign-in-with-wallet.ts';

const unauthenticated = refuse({ reason: 'UNAUTHENTICATED', message: 'Auth token is required in the headers' });
const tokenNotAccepted = refuse({ reason: 'AUTH_TOKEN_NOT_ACCEPTED', message: 'Auth token was not accepted' });
const sessionNotFound = refuse({ reason: 'SESSION_NOT_FOUND', message: 'Session not found' });

/** The sign-in operations of `Core`. */
export function manageSessions(
  parts: SignInParts & { readonly findAuthToken: FindAuthToken; readonly findSession: FindSession },
): Pick<
  Core,
  'readSignUp' | 'createSignInNonce' | 'signInWithWallet' | 'signInWithAuthToken' | 'readSession' | 'endSession'
> {
  const { store, clock, signUp, findAuthToken, findSession, digestSession, digestNonce } = parts;

  async function readAccount(
    accountId: string,
    rest: Omit<FoundAuthToken, 'accountId' | 'authTokenId'> & Partial<Omit<FoundSession, 'expiresAt'>>,
  ): Promise<Result<Identity>> {
    const account = await store.db
      .selectFrom('accounts')
      .select(['account_id', 'name', 'wallet'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return account === undefined ? unauthenticated : accept(toIdentity(account, { ...rest, signUp }));
  }

  return {
    readSignUp: async () => accept({ signUp }),

    async createSignInNonce() {
      const issuedAt = unixSeconds(clock);
      const nonce = createNonce(digestNonce, issuedAt);
      return accept({ nonce, issuedAt, expiresAt: issuedAt + signInLimits.nonceLifetime, signUp });
    },

    signInWithWallet: signInWithWallet(parts),

    async signInWithAuthToken({ authToken }) {
      const found = await findAuthToken(authToken);
      if (found === undefined) return tokenNotAccepted;
      const { accountId, authTokenId, expiresAt: tokenEnd, scopes } = found;
      const begun = await store.transaction(async (trx) => {
        // It may have been revoked, or its account suspended, since it was found.
        const still = await trx
          .selectFrom('auth_tokens')
          .innerJoin('accounts', 'accounts.account_id', 'auth_tokens.account_id')
          .select('auth_token_id')
          .where('auth_token_id', '=', authTokenId)
          .where('revoked_at', 'is', null)
          .where('suspended_at', 'is', null)
          .executeTakeFirst();
        if (still === undefined) return undefined;
        const beginning = { accountId, authTokenId, endsBy: tokenEnd ?? undefined, now: unixSeconds(clock) };
        return beginSession(trx, digestSession, beginning);
      });
      if (begun === undefined) return tokenNotAccepted;
      const { session, expiresAt } = begun;
      const identity = await readAccount(accountId, { authTokenId, expiresAt, scopes });
      return identity.ok ? accept({ session, identity: identity.value }) : tokenNotAccepted;
    },

    async readSession({ session, authToken }) {
      const found = session === undefined ? await findAuthToken(authToken ?? '') : await findSession(session);
      return found === undefined ? unauthenticated : readAccount(found.accountId, found);
    },

    async endSession({ session }) {
      const row = await store.transaction((trx) =>
        trx
          .deleteFrom('sessions')
          .where('digest', '=', digestSession(session))
          .returning(['account_id', 'session_id'])
          .executeTakeFirst(),
      );
      return row === undefined ? sessionNotFound : accept({ accountId: row.account_id });
    },
  };
}

const notAMember = refuse({ reason: 'NOT_A_MEMBER', message: 'Wallet is not a member of this account' });
const suspended = refuse({ reason: 'ACCOUNT_SUSPENDED', message: 'Account is suspended' });

/**
 * `Core.switchAccount`. The transaction that starts the new session ends the current one, and the new one keeps its expiry.
 */
export function switchAccount(
  parts: Pick<SignInParts, 'store' | 'clock' | 'signUp' | 'digestSession'> & { readonly findSession: FindSession },
): Core['switchAccount'] {
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

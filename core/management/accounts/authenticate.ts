import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Caller } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { findApiKey } from '../../paymasters/api-key.ts';
import { ownsPaymaster } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import type { FindAuthToken } from './find-auth-token.ts';
import type { FindSession } from './find-session.ts';

/**
 * `Core.authenticate` and `Core.authenticateSession`. All rejected authTokens and sessions get the same answer; so do
 * apiKeys that are malformed, unknown or another account's. ApiKeys are also looked up by keyed digest.
 */
export function createAuthenticate(parts: {
  store: Store;
  clock: Clock;
  findAuthToken: FindAuthToken;
  findSession: FindSession;
  digestsOfApiKey: (apiKey: string) => readonly string[];
}): Pick<Core, 'authenticate' | 'authenticateSession'> {
  const { store, clock, findAuthToken, findSession, digestsOfApiKey } = parts;

  async function toCaller(account: Caller | undefined, apiKey: string | undefined): Promise<Result<Caller>> {
    if (account === undefined) {
      const message =
        apiKey === undefined
          ? 'Auth token is required in the headers'
          : 'Auth token and API key is required in the headers';
      return refuse({ reason: 'UNAUTHENTICATED', message });
    }
    if (apiKey === undefined) return accept(account);
    const key = await findApiKey(store.db, { digests: digestsOfApiKey(apiKey), now: unixSeconds(clock) });
    if (key === undefined || !(await ownsPaymaster(store.db, { ...account, paymasterId: key.paymasterId }))) {
      return refuse({
        reason: 'API_KEY_NOT_ACCEPTED',
        message: 'Auth token and API key is required in the headers',
      });
    }
    return accept({ ...account, paymasterId: key.paymasterId });
  }

  return {
    async authenticate({ authToken, apiKey }) {
      const found = await findAuthToken(authToken);
      if (found === undefined) return toCaller(undefined, apiKey);
      const { accountId, authTokenId, scopes } = found;
      return toCaller({ accountId, authTokenId, scopes }, apiKey);
    },
    async authenticateSession({ session, apiKey }) {
      const found = await findSession(session);
      if (found === undefined) return toCaller(undefined, apiKey);
      const { accountId, sessionId, wallet, chainId, scopes } = found;
      const signedIn = omitAbsent({ wallet: wallet ?? undefined, chainId: chainId ?? undefined });
      return toCaller({ accountId, sessionId, scopes, ...signedIn }, apiKey);
    },
  };
}

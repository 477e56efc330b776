import type { IncomingMessage } from 'node:http';
import { managementErrors } from '@tollfree/contract/errors';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import type { Identity } from '../../core/domain/sign-in.ts';
import type { Clock } from '../../core/domain/time/clock.ts';
import { retryAfter } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { DashboardSite } from '../sign-in/dashboard-site.ts';
import { answer, done, doneWith, type ErrorResponse, errorResponse, refusalResponse } from './answer.ts';
import { callerOf, credentialsOf } from './caller.ts';

type Parts = {
  readonly core: Core;
  readonly limits: AccessLimits;
  readonly clientAddress: ClientAddress;
  readonly metrics: GatewayMetrics;
  readonly clock: Clock;
  readonly site: () => DashboardSite | undefined;
};

/** Signing in and out. A session's secret is in the cookie alone, in no body. */
export function createSessionRoutes({ core, limits, clientAddress, metrics, clock, site }: Parts) {
  const secondsUntil = (moment = 0) => moment - clock.now() / 1_000;
  const notSetUp = errorResponse(managementErrors.signInNotSetUp);

  /** A failed sign-in counts like wrong credentials do. */
  function refuseSignIn(
    refusal: Refusal,
    request: IncomingMessage,
    setHeaders: (headers: Readonly<Record<string, string>>) => void,
  ): ErrorResponse {
    metrics.countRefusal(refusal.reason);
    const blockedMs = limits.takeFailedLogin(clientAddress(request));
    if (blockedMs === 0) return refusalResponse(refusal);
    setHeaders(retryAfter(blockedMs));
    return errorResponse(managementErrors.tooManyFailedLogins);
  }

  return initServer().router(managementRouter.session, {
    readSignUp: async () => {
      if (site() === undefined) return notSetUp;
      return answer(await core.readSignUp(), (mode) => doneWith('Sign-up mode fetched', mode));
    },
    createNonce: async () => {
      const dashboard = site();
      if (dashboard === undefined) return notSetUp;
      const { origin } = dashboard;
      return answer(await core.createSignInNonce(), (nonce) =>
        doneWith('Nonce created', { ...nonce, domain: new URL(origin).host, uri: origin }),
      );
    },
    create: async ({ body, req, res }) => {
      const dashboard = site();
      if (dashboard === undefined) return notSetUp;
      const { origin, cookie } = dashboard;
      const result = await ('authToken' in body
        ? core.signInWithAuthToken(body)
        : core.signInWithWallet({ ...omitAbsent(body), origin, client: clientAddress(req) }));
      if (!result.ok) return refuseSignIn(result.refusal, req, (headers) => res.set(headers));
      const { session, identity } = result.value;
      const former = cookie.read(req);
      if (former !== undefined) await core.endSession({ session: former });
      res.setHeader('set-cookie', cookie.set(session, secondsUntil(identity.expiresAt)));
      return doneWith('Signed in', sessionItem(identity));
    },
    listAccounts: async ({ req }) => {
      const { wallet, chainId } = callerOf(req);
      if (wallet === undefined) return doneWith('Account list fetched', []);
      return answer(await core.listMemberships({ wallet, ...omitAbsent({ chainId }) }), (accounts) =>
        doneWith('Account list fetched', [...accounts]),
      );
    },
    switchAccount: async ({ body: { accountId }, req, res }) => {
      const { session } = credentialsOf(req);
      const dashboard = site();
      if (session === undefined || dashboard === undefined) return errorResponse(managementErrors.sessionNotFound);
      return answer(await core.switchAccount({ session, accountId }), (next) => {
        res.setHeader('set-cookie', dashboard.cookie.set(next.session, secondsUntil(next.identity.expiresAt)));
        return doneWith('Account switched', sessionItem(next.identity));
      });
    },
    leaveAccount: async ({ req, res }) => {
      const { accountId, wallet } = callerOf(req);
      const dashboard = site();
      // Who signed in with an authToken is no member; its programs do not end a membership either.
      if (wallet === undefined || dashboard === undefined) return errorResponse(managementErrors.sessionNotFound);
      return answer(await core.removeMember({ accountId, wallet }), () => {
        res.setHeader('set-cookie', dashboard.cookie.clear());
        return done('Account left');
      });
    },
    read: async ({ req }) => {
      const { authToken, session } = credentialsOf(req);
      const which = session === undefined ? { authToken } : { session };
      return answer(await core.readIdentity(which), (identity) => doneWith('Session fetched', sessionItem(identity)));
    },
    delete: async ({ req, res }) => {
      const { session } = credentialsOf(req);
      const dashboard = site();
      if (session === undefined || dashboard === undefined) return errorResponse(managementErrors.sessionNotFound);
      res.setHeader('set-cookie', dashboard.cookie.clear());
      return answer(await core.endSession({ session }), () => done('Signed out'));
    },
    list: async ({ req }) => {
      const { accountId } = callerOf(req);
      const { session } = credentialsOf(req);
      return answer(await core.listSessions({ accountId, ...omitAbsent({ session }) }), (sessions) =>
        doneWith('Session list fetched', [...sessions]),
      );
    },
    revoke: async ({ params: { sessionId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.revokeSession({ accountId, sessionId }), () => done('Session ended'));
    },
    revokeAll: async ({ req, res }) => {
      const { accountId } = callerOf(req);
      const dashboard = site();
      return answer(await core.revokeAllSessions({ accountId }), () => {
        if (dashboard !== undefined) res.setHeader('set-cookie', dashboard.cookie.clear());
        return done('Signed out everywhere');
      });
    },
  });
}

function sessionItem({ scopes, ...identity }: Identity) {
  return { ...identity, scopes: [...scopes] };
}

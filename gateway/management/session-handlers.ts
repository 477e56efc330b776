import type { IncomingMessage } from 'node:http';
import { managementErrors } from '@tollfree/contract/errors';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementOperations } from '@tollfree/contract/operations';
import type { SignInRequest, SwitchAccountRequest } from '@tollfree/contract/sign-in/session';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import { retryAfter } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/caller-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { DashboardSite } from '../session-cookie.ts';
import { answer, type ErrorResponse, errorResponse, refusalResponse } from './answer.ts';
import { callerOf, credentialsOf } from './caller.ts';
import { successOf } from './handle-operation.ts';
import type { Handlers } from './special-handlers.ts';

const { session: operations } = managementOperations;

type Parts = {
  readonly core: Core;
  readonly limits: AccessLimits;
  readonly clientAddress: ClientAddress;
  readonly metrics: GatewayMetrics;
  readonly clock: Clock;
  readonly site: () => DashboardSite | undefined;
};

const notSetUp = errorResponse(managementErrors.signInNotSetUp);

/** Signing in and out. A session's secret is only in the cookie, never in a body. */
export function sessionHandlers(parts: Parts): Handlers {
  return { ...signingIn(parts), ...ofAccounts(parts), ...ofSessions(parts) };
}

function secondsUntil(clock: Clock, moment = 0): number {
  return moment - clock.now() / 1_000;
}

function signingIn({ core, limits, clientAddress, metrics, clock, site }: Parts): Handlers {
  /** A failed sign-in counts as wrong credentials. */
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

  return {
    [operations.readSignUp.name]: async () =>
      site() === undefined
        ? notSetUp
        : answer(await core.readSignUp(), (mode) => successOf(operations.readSignUp, mode)),
    [operations.createNonce.name]: async () => {
      const dashboard = site();
      if (dashboard === undefined) return notSetUp;
      const { origin } = dashboard;
      return answer(await core.createSignInNonce(), (nonce) =>
        successOf(operations.createNonce, { ...nonce, domain: new URL(origin).host, uri: origin }),
      );
    },
    [operations.create.name]: async ({ body: sent, request, response }) => {
      const dashboard = site();
      if (dashboard === undefined) return notSetUp;
      const { origin, cookie } = dashboard;
      const body = sent as SignInRequest;
      const result = await ('authToken' in body
        ? core.signInWithAuthToken(body)
        : core.signInWithWallet({ ...omitAbsent(body), origin, client: clientAddress(request) }));
      if (!result.ok) return refuseSignIn(result.refusal, request, (headers) => response.set(headers));
      const { session, identity } = result.value;
      const former = cookie.read(request);
      if (former !== undefined) await core.endSession({ session: former });
      response.setHeader('set-cookie', cookie.set(session, secondsUntil(clock, identity.expiresAt)));
      return successOf(operations.create, identity);
    },
  };
}

/** The accounts of which one wallet is a member. */
function ofAccounts({ core, clock, site }: Parts): Handlers {
  return {
    [operations.listAccounts.name]: async ({ request }) => {
      const { wallet, chainId } = callerOf(request);
      if (wallet === undefined) return successOf(operations.listAccounts, []);
      return answer(await core.listMemberships({ wallet, ...omitAbsent({ chainId }) }), (accounts) =>
        successOf(operations.listAccounts, accounts),
      );
    },
    [operations.switchAccount.name]: async ({ body, request, response }) => {
      const { accountId } = body as SwitchAccountRequest;
      const { session } = credentialsOf(request);
      const dashboard = site();
      if (session === undefined || dashboard === undefined) return errorResponse(managementErrors.sessionNotFound);
      return answer(await core.switchAccount({ session, accountId }), (next) => {
        const cookie = dashboard.cookie.set(next.session, secondsUntil(clock, next.identity.expiresAt));
        response.setHeader('set-cookie', cookie);
        return successOf(operations.switchAccount, next.identity);
      });
    },
    [operations.leaveAccount.name]: async ({ request, response }) => {
      const { accountId, wallet } = callerOf(request);
      const dashboard = site();
      // An authToken session is not a member; programs with one cannot end a membership either.
      if (wallet === undefined || dashboard === undefined) return errorResponse(managementErrors.sessionNotFound);
      return answer(await core.removeMember({ accountId, wallet }), () => {
        response.setHeader('set-cookie', dashboard.cookie.clear());
        return successOf(operations.leaveAccount, undefined);
      });
    },
  };
}

function ofSessions({ core, site }: Parts): Handlers {
  return {
    [operations.read.name]: async ({ request }) => {
      const { authToken, session } = credentialsOf(request);
      const which = session === undefined ? { authToken } : { session };
      return answer(await core.readSession(which), (identity) => successOf(operations.read, identity));
    },
    [operations.delete.name]: async ({ request, response }) => {
      const { session } = credentialsOf(request);
      const dashboard = site();
      if (session === undefined || dashboard === undefined) return errorResponse(managementErrors.sessionNotFound);
      response.setHeader('set-cookie', dashboard.cookie.clear());
      return answer(await core.endSession({ session }), () => successOf(operations.delete, undefined));
    },
    [operations.list.name]: async ({ request }) => {
      const { accountId } = callerOf(request);
      const { session } = credentialsOf(request);
      return answer(await core.listSessions({ accountId, ...omitAbsent({ session }) }), (sessions) =>
        successOf(operations.list, sessions),
      );
    },
    [operations.revokeAll.name]: async ({ request, response }) => {
      const { accountId } = callerOf(request);
      const dashboard = site();
      return answer(await core.revokeAllSessions({ accountId }), () => {
        if (dashboard !== undefined) response.setHeader('set-cookie', dashboard.cookie.clear());
        return successOf(operations.revokeAll, undefined);
      });
    },
  };
}

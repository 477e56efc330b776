import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { AuthTokenRecord } from '../../core/domain/account.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Clock } from '../../core/domain/time/clock.ts';
import { answer, done, doneWith } from './answer.ts';
import { callerOf } from './caller.ts';

const secondsPerDay = 86_400;

/** The account holder's own authTokens. */
export function createAuthTokenRoutes(core: Core, clock: Clock) {
  function inDays(days: number | undefined): number | undefined {
    return days === undefined ? undefined : Math.floor(clock.now() / 1_000) + days * secondsPerDay;
  }
  return initServer().router(managementRouter.authToken, {
    list: async ({ req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.listAuthTokens({ accountId }), (records) =>
        doneWith('Auth token list fetched', records.map(tokenItem)),
      );
    },
    create: async ({ body: { name, expiresAt, expiresInDays, scopes }, req }) => {
      const { accountId } = callerOf(req);
      const wished = omitAbsent({ expiresAt: expiresAt ?? inDays(expiresInDays), scopes });
      return answer(await core.issueAuthToken({ accountId, name, ...wished }), ({ authToken, record }) =>
        doneWith('Auth token created', { ...tokenItem(record), authToken }),
      );
    },
    delete: async ({ body: { authTokenId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.revokeAuthToken({ accountId, authTokenId }), () => done('Auth token revoked'));
    },
  });
}

function tokenItem({ scopes, ...record }: AuthTokenRecord) {
  return { ...record, scopes: [...scopes] };
}

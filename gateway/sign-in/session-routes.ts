import { managementErrors } from '@tollfree/contract/errors';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import { errorResponse } from '../management/answer.ts';

/** Signing in and out. Not set up anywhere yet. */
export function createSessionRoutes() {
  const notSetUp = async () => errorResponse(managementErrors.signInNotSetUp);
  return initServer().router(managementRouter.session, {
    createNonce: notSetUp,
    create: notSetUp,
    read: async () => errorResponse(managementErrors.authTokenRequired),
    delete: async () => errorResponse(managementErrors.sessionNotFound),
  });
}

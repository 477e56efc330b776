import { managementErrors } from '@tollfree/contract/errors';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import { answer, doneWith, errorResponse } from './answer.ts';
import { ownedBy } from './caller.ts';
import { paymasterItem, readServed } from './paymaster-routes.ts';

/** Interface 4.4. The paymasterId must be that of the apiKey; any other is not found, no matter whose it is. */
export function createFundingRoutes(core: Core) {
  return initServer().router(managementRouter.funding, {
    createMessage: async ({ params, req }) => {
      const owned = ownedBy(req);
      if (params.paymasterId !== owned.paymasterId) {
        return errorResponse(managementErrors.paymasterNotFound);
      }
      return answer(await core.createFundingMessage(owned), ({ fundingMessage }) =>
        doneWith('Funding message sent', { fundingMessage }),
      );
    },
    setWallet: async ({ body: { paymasterId, signature, address }, req }) => {
      const owned = ownedBy(req);
      if (paymasterId !== owned.paymasterId) {
        return errorResponse(managementErrors.paymasterNotFound);
      }
      const served = await readServed(core);
      return answer(await core.setFundingWallet({ ...owned, signature, address }), (paymaster) =>
        doneWith('Paymaster updated successfully', paymasterItem(paymaster, served)),
      );
    },
  });
}

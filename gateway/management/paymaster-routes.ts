import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { Paymaster } from '../../core/domain/paymaster.ts';
import { answer, doneWith } from './answer.ts';
import { callerOf } from './caller.ts';

/** A paymaster as the interface shows it. */
export function paymasterItem({ name, chainId, apiKey, paymasterId }: Paymaster): PaymasterItem {
  return { name, chainId, apiKey, paymasterId };
}

/** Interface 4.2. */
export function createPaymasterRoutes(core: Core) {
  return initServer().router(managementRouter.paymaster, {
    list: async ({ req }) =>
      answer(await core.listPaymasters({ accountId: callerOf(req).accountId }), (paymasters) =>
        doneWith('DApp list fetched', paymasters.map(paymasterItem)),
      ),
    create: async ({ body, req }) =>
      answer(await core.createPaymaster({ accountId: callerOf(req).accountId, ...body }), (paymaster) =>
        doneWith('DApp registered successfully', paymasterItem(paymaster)),
      ),
  });
}

import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { Paymaster } from '../../core/domain/paymaster.ts';
import { answer, done, doneWith } from './answer.ts';
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
    listApiKeys: async ({ params: { paymasterId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.listApiKeys({ accountId, paymasterId }), (keys) =>
        doneWith('API key list fetched', [...keys]),
      );
    },
    rotateApiKey: async ({ params: { paymasterId }, body: { graceSeconds }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.rotateApiKey({ accountId, paymasterId, graceSeconds }), ({ apiKey, record }) =>
        doneWith('API key replaced', { ...record, apiKey }),
      );
    },
    endApiKey: async ({ params: { paymasterId }, body: { apiKeyId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.endApiKey({ accountId, paymasterId, apiKeyId }), () => done('API key ended'));
    },
  });
}

import { initContract } from '@ts-rest/core';
import { fundingRouter } from './funding.ts';
import { gasTankRouter } from './gas-tank.ts';
import { paymasterRouter } from './paymaster.ts';
import { smartContractRouter } from './smart-contract.ts';
import { webhookRouter } from './webhook.ts';

export const managementPrefix = '/api/v2/public/sdk';

/** The management interface (interface section 4, without the RPC method) as a ts-rest contract. */
export const managementRouter = initContract().router(
  {
    webhook: webhookRouter,
    paymaster: paymasterRouter,
    smartContract: smartContractRouter,
    funding: fundingRouter,
    gasTank: gasTankRouter,
  },
  { pathPrefix: managementPrefix },
);
export type ManagementRouter = typeof managementRouter;

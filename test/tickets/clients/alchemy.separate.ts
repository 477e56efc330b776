import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ClientMiddlewareConfig, createSmartAccountClient, split } from '@aa-sdk/core';
import { http } from 'viem';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { targetCall } from '../../support/chain/chain-lab.ts';
import { aaSdkAccount } from '../../support/published-clients/aa-sdk-account.ts';
import type {} from '../../support/run/installed.ts';
import type { TicketClient } from './ticket-client.ts';
import { openTicketClientLab, type TicketClientLab } from './ticket-client-lab.ts';

/** What is used of the package, which is not installed where types are checked. */
type Infra = {
  alchemyGasManagerMiddleware(
    policyId: string,
  ): Required<Pick<ClientMiddlewareConfig, 'dummyPaymasterAndData' | 'paymasterAndData'>>;
};

let infra: Infra;
let lab: TicketClientLab;
beforeAll(async () => {
  infra = await import(pathToFileURL(join(inject('installed'), 'dist/esm/exports/index.js')).href);
  lab = await openTicketClientLab();
});
afterAll(() => lab?.close());

/** It makes its context itself, of a policy's id alone, so that a ticket has the transport. */
const alchemyTicketClient: TicketClient = {
  name: '`@account-kit/infra`, `alchemyGasManagerMiddleware`',
  version: '0.7',
  arrives: ['authorization'],
  policyName: 'policyId',
  async send({ devnet, bundlerUrl, paymasterUrl, headers, policyId = '' }) {
    const { chain } = devnet.client;
    const account = await aaSdkAccount(devnet, '0.7');
    const bundler = ['eth_sendUserOperation', 'eth_estimateUserOperationGas', 'eth_getUserOperationReceipt'];
    const transport = split({
      overrides: [
        {
          methods: ['pm_getPaymasterStubData', 'pm_getPaymasterData'],
          transport: http(paymasterUrl, { fetchOptions: { headers } }),
        },
        { methods: bundler, transport: http(bundlerUrl) },
      ],
      fallback: http(devnet.rpcUrl),
    });
    const client = createSmartAccountClient({
      transport,
      chain,
      account,
      ...infra.alchemyGasManagerMiddleware(policyId),
    });
    const { to: target, data } = targetCall(devnet, 'increment');
    const { hash } = await client.sendUserOperation({ uo: { target, data } });
    return { sender: account.address, hash };
  },
};

test("Alchemy's gas manager: a ticket as authorization arrives, with the policy, and the operation lands", () =>
  lab.expectArrives(alchemyTicketClient, 'authorization'));

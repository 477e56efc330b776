import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type ProductionService, startProductionService } from '../support/service/production-service.ts';
import { fundedTank } from '../support/service/production-tank.ts';

/** What the node before the development chain does not respond. */
const silent = new Set(['eth_feeHistory', 'eth_maxPriorityFeePerGas']);

let service: ProductionService;
let node: RpcServer;

beforeAll(async () => {
  let chainUrl = '';
  node = await startRpcServer(async (request, response) => {
    if (silent.has(request.method)) {
      return respond(response, { jsonrpc: '2.0', id: request.id, error: { code: -32601, message: 'no such method' } });
    }
    const answer = await fetch(chainUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...request }),
    });
    respond(response, await answer.text());
  });
  service = await startProductionService({
    settings: (devnet) => {
      chainUrl = devnet.rpcUrl;
      return { chain: { nodeUrls: [node.url] } };
    },
  });
});

afterAll(async () => {
  await service.close();
  await node.close();
});

test('nothing is signed while the node does not report the gas price, and the ledger goes on', async () => {
  const { rpcUrl } = await fundedTank(service, { family: '0.7', amount: parseEther('10') });
  const operation = await nextOperation(service.devnet, newSmartAccount('0.7'), [
    targetCall(service.devnet, 'increment'),
  ]);
  const refused = await askSponsorship(rpcUrl, operation);
  expect(refused).toMatchObject({ httpStatus: 503, reason: 'CHAIN_UNAVAILABLE' });
  expect(refused.message).toContain('does not report the gas price');

  silent.clear();
  await expect
    .poll(async () => (await askSponsorship(rpcUrl, operation)).httpStatus, { timeout: 20_000, interval: 200 })
    .toBe(200);
});

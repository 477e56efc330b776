import { numberToHex, parseEther, parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { mineAt } from '../support/chain/own-bundles.ts';
import { type RpcServer, respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type ProductionService, startProductionService } from '../support/service/production-service.ts';
import { fundedTank } from '../support/service/production-tank.ts';

/** As on Base at most times. */
const baseFee = parseGwei('0.01');
const suggestedTip = parseGwei('0.001');

let service: ProductionService;
let node: RpcServer;

beforeAll(async () => {
  let chainUrl = '';
  node = await startRpcServer(async (request, response) => {
    if (request.method === 'eth_maxPriorityFeePerGas')
      return respondResult(response, request, numberToHex(suggestedTip));
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

test('where gas is cheap, no tip is signed that is a multiple of the honest one', async () => {
  const { devnet } = service;
  const { rpcUrl } = await fundedTank(service, { family: '0.7', amount: parseEther('10') });
  const drafted = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
  const ask = (tip: string, fee = '0.03') =>
    askSponsorship(rpcUrl, { ...drafted, maxFeePerGas: parseGwei(fee), maxPriorityFeePerGas: parseGwei(tip) });
  for (let blocks = 0; blocks < 12; blocks += 1) await mineAt(devnet, baseFee);
  // Three base fees and two and a half tips, once the service has seen them.
  const isSeen = async () => expect((await ask('0.098', '0.1')).message).toContain('at most 32500000 wei');
  await vi.waitFor(isSeen, { timeout: 20_000, interval: 100 });
  expect(await ask('0.002500001')).toMatchObject({
    reason: 'GAS_PRICE_TOO_HIGH',
    message: expect.stringMatching(/^maxPriorityFeePerGas .*at most 2500000 wei/),
  });
  expect((await ask('0.0025')).httpStatus).toBe(200);
});

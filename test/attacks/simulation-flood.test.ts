import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { type NarrowNode, startNarrowNode } from '../support/servers/narrow-node.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const flooder = '198.51.100.66';
const home = '203.0.113.5';
/** One question for each simulation that is under way. */
const mostOfOneAddress = 16;
/** More than the service asks at once for one address, and few enough that a flood without a bound fills the node. */
const nodeSimulates = 32;
/** Of one address, under way and waiting. */
const mayBeUnderWay = 200;
const flood = mayBeUnderWay + 40;

let node: NarrowNode;
const service = useProductionService({
  settings: async (devnet) => {
    node = await startNarrowNode(devnet.rpcUrl, nodeSimulates);
    // The node searches for as long as the test wants it to.
    return { chain: { nodeUrls: [node.url], callTimeoutMs: 60_000 } };
  },
});
let flooded: ProductionTank;
let other: ProductionTank;

beforeAll(async () => {
  flooded = await fundedTank(service(), { family: '0.7', amount: parseEther('5') });
  other = await fundedTank(service(), { family: '0.7', amount: parseEther('5') });
});

afterAll(() => node.close());

const operationOf = () =>
  nextOperation(service().devnet, newSmartAccount('0.7'), [targetCall(service().devnet, 'increment')]);

test('an address that floods the node with long searches keeps no other address waiting and is refused its excess', async () => {
  const heavy = await operationOf();
  const honest = await Promise.all(Array.from({ length: 5 }, operationOf));
  node.searchLongFor(heavy.sender.slice(2));
  const attacks = Array.from({ length: flood }, (_, key) =>
    askSponsorship(flooded.rpcUrl, { ...heavy, nonce: BigInt(key + 1) << 64n }, { client: flooder }),
  );
  await vi.waitFor(() => expect(node.searching()).toBeGreaterThanOrEqual(mostOfOneAddress), { timeout: 30_000 });

  const answers = await Promise.all(
    [flooded, other].flatMap(({ rpcUrl }) =>
      honest.map((operation) => askSponsorship(rpcUrl, operation, { client: home })),
    ),
  );
  expect(answers.map(({ httpStatus, message }) => message ?? httpStatus)).toEqual(Array(10).fill(200));
  expect(node.searching()).toBe(mostOfOneAddress);

  node.giveUp();
  const ends = await Promise.all(attacks);
  expect(node.mostSearches()).toBe(mostOfOneAddress);
  const refused = ends.filter(({ reason }) => reason === 'RATE_LIMITED');
  expect(refused.length).toBeGreaterThanOrEqual(flood - mayBeUnderWay);
  for (const { httpStatus, retryAfter } of refused) expect([httpStatus, Number(retryAfter) > 0]).toEqual([429, true]);
  // Those that had their turn met the bound on open operations of one sender.
  const reasons = new Set(ends.map(({ reason }) => reason ?? 'signed'));
  expect(reasons).toEqual(new Set(['signed', 'RATE_LIMITED', 'LIMIT_EXCEEDED']));
}, 120_000);

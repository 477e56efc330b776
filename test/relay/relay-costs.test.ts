import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { measureOperationCosts } from '../support/relay/operation-costs.ts';

let devnet: Devnet;
beforeAll(async () => {
  devnet = await leaseDevnet();
});
afterAll(() => devnet.close());

test('a relayed operation needs fewer requests, less waiting and less gas than a sponsored one', async () => {
  const costs = await measureOperationCosts(devnet, leasedSignerKey);
  const [paid, free] = ['paymaster', 'relay'].map((way) => costs.find((one) => one.way === way));
  if (paid === undefined || free === undefined) throw new Error('Both were measured.');
  expect(free.requests).toBeLessThan(paid.requests);
  expect(free.roundTrips).toBeLessThan(paid.roundTrips);
  expect(free.gas).toBeLessThan(paid.gas);
}, 60_000);

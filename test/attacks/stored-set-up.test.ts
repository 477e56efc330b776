import { expect, test } from 'vitest';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { contractsOf, largestSetUp, policyOf } from '../support/interface/largest-set-up.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { openTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

/** A service without customers needs some 60, 64 are what one account may cost, and what is under way comes on top. */
const heapMegabytes = 256;
/** What one account may add to what the process keeps. */
const maxGrowth = 64 * 2 ** 20;
const { policies } = largestSetUp;

const service = useProductionService({ heapMegabytes });

test('the largest contracts and policies of one account neither end the process nor keep /livez waiting', async () => {
  const { management, devnet, adminUrl } = service();
  const tank = await openTank(service(), { family: '0.7' });
  const { apiKey, version } = tank;
  const isAlive = async () => expect((await fetch(`${adminUrl}/livez`)).status).toBe(200);
  const before = await readHeap();
  let isDone = false;
  const asking = (async () => {
    while (!isDone) await isAlive();
  })();

  for (const contract of contractsOf(largestSetUp)) await management.registerSmartContract({ apiKey, ...contract });
  await management.setPolicy({ apiKey, policy: policyOf(largestSetUp, 0) });
  const policyIds: string[] = [];
  for (let number = 1; number <= policies; number += 1) {
    const policy = policyOf(largestSetUp, number);
    const { policyId } = await management.createPolicy({ apiKey, name: `policy ${number}`, policy });
    policyIds.push(policyId);
  }

  const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
  for (const policyId of ['', ...policyIds]) {
    expect(await askSponsorship(tank.rpcUrl, operation, { policyId })).toMatchObject({ reason: 'INSUFFICIENT_FUNDS' });
  }

  const [first] = contractsOf(largestSetUp);
  if (first === undefined) throw new Error('The set-up has no contract.');
  const { address, whitelistedMethods } = first;
  expect(await management.listSmartContracts({ apiKey })).toHaveLength(1 + largestSetUp.wide + largestSetUp.long);
  expect(await management.listPolicies({ apiKey })).toHaveLength(policies);
  await management.updateSmartContract({ apiKey, address, whitelistedMethods });
  expect((await management.deleteSmartContract({ apiKey, address })).brokenRules?.length).toBeGreaterThan(policies);
  await management.registerSmartContract({ apiKey, ...first });
  await management.previewPolicy({ apiKey, policy: policyOf(largestSetUp, 0) });
  isDone = true;
  await asking;
  await isAlive();
  expect((await readHeap()) - before).toBeLessThan(maxGrowth);
}, 600_000);

/** Bytes that the objects of the service take after a collection. */
async function readHeap(): Promise<number> {
  const text = await (await fetch(`${service().adminUrl}/metrics`)).text();
  const [, bytes] = /^tollfree_process_heap_used_bytes\{[^}]*\} (\S+)$/m.exec(text) ?? [];
  if (bytes === undefined) throw new Error('The metrics say nothing of the heap.');
  return Number(bytes);
}

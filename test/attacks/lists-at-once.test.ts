import { expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { contractsOf, largestSetUp } from '../support/interface/largest-set-up.ts';
import { versionOfFamily } from '../support/service/production-config.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

/** A service without customers needs some 60. */
const heapMegabytes = 256;
/** As many as a paymaster may ask for in one burst. */
const asked = 150;
/** Of one account; more are told to come again (`gateway/management/read-body.ts`). */
const mayBeUnderWay = 8;

const service = useProductionService({ heapMegabytes });

async function newTenant(name: string) {
  const { operate, url, devnet } = service();
  const authToken = await operate('auth-token', 'issue', await operate('account', 'create', name));
  const management = createManagementClient({ baseUrl: url, authToken });
  const version = versionOfFamily(devnetFamilies['0.7']);
  const { apiKey } = await management.createPaymaster({ name, chainId: devnet.chainId, version });
  return { management, headers: { authToken, apiKey }, apiKey };
}

test('lists of 16 MiB that one account asks for at once and does not read leave memory and turns to others', async () => {
  const { adminUrl, url } = service();
  const list = `${url}/api/v2/public/sdk/smart-contract`;
  const [flooder, other] = [await newTenant('flooder'), await newTenant('other')];
  const contracts = [...contractsOf(largestSetUp)].slice(0, largestSetUp.wide);
  const [{ apiKey }, { apiKey: otherKey }] = [flooder, other];
  for (const contract of contracts) await flooder.management.registerSmartContract({ apiKey, ...contract });

  const giveUp = new AbortController();
  const { headers } = flooder;
  const flood = await Promise.all(Array.from({ length: asked }, () => fetch(list, { headers, signal: giveUp.signal })));
  const begun = flood.filter(({ status }) => status === 200);
  const refused = flood.filter(({ status }) => status === 429);
  expect([begun.length, refused.length]).toEqual([mayBeUnderWay, asked - mayBeUnderWay]);
  for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(`${adminUrl}/livez`)).status).toBe(200);
  expect(await other.management.listSmartContracts({ apiKey: otherKey })).toEqual([]);

  giveUp.abort();
  const again = async () =>
    expect(await flooder.management.listSmartContracts({ apiKey })).toHaveLength(contracts.length);
  await vi.waitFor(again, { timeout: 30_000, interval: 100 });
}, 300_000);

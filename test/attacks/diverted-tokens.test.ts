import { type Address, maxUint256, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenBalance,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { freshKey } from '../support/service/running-service.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const service = useProductionService();
const thief = privateKeyToAddress(freshKey());
const owner = privateKeyToAddress(freshKey());
const refused = { statusCode: 403, message: 'The scope funds is missing' };

let tank: ProductionTank;
let manager: ManagementClient;
beforeAll(async () => {
  tank = await fundedTank(service(), {
    family: '0.7',
    amount: parseEther('1'),
    policy: { tokens: { tokenRecipient: owner } },
  });
  const { authToken } = await service().management.createAuthToken({ name: 'manager', scopes: ['read', 'manage'] });
  manager = createManagementClient({ baseUrl: service().url, authToken });
});

/** A user pays for an operation in tokens; what each may have received since. */
async function payOnce(policyId?: string) {
  const { devnet } = service();
  const token = tokenWith(devnet, 6);
  const account = newSmartAccount('0.7');
  const calls = [approveCall(token, tank.contract, maxUint256), targetCall(devnet, 'increment')];
  const operation = await nextOperation(devnet, account, calls);
  await mint(devnet, token, operation.sender, 1_000_000_000n);
  const read = async (address: Address) => tokenBalance(devnet, token, address);
  const before = { thief: await read(thief), owner: await read(owner), operator: await read(devnet.tokenRecipient) };
  const wish = { token: token.address, ...(policyId === undefined ? {} : { policyId }) };
  await land(devnet, account, withAnswer(operation, await sponsor(tank.rpcUrl, operation, wish)));
  return {
    thief: (await read(thief)) - before.thief,
    owner: (await read(owner)) - before.owner,
    operator: (await read(devnet.tokenRecipient)) - before.operator,
  };
}

test('who may manage and not move funds cannot name another receiver of the tokens, in any policy', async () => {
  const { apiKey } = tank;
  const own = { name: 'named', policy: { tokens: { tokenRecipient: owner } } };
  const { policyId } = await service().management.createPolicy({ apiKey, ...own });
  const diverted = { tokens: { tokenRecipient: thief } };
  for (const change of [
    () => manager.setPolicy({ apiKey, policy: diverted }),
    // Without one the tokens go to the operator.
    () => manager.setPolicy({ apiKey, policy: {} }),
    () => manager.createPolicy({ apiKey, name: 'new', policy: diverted }),
    () => manager.createPolicy({ apiKey, name: 'new', policy: {} }),
    () => manager.replacePolicy({ apiKey, policyId, ...own, policy: diverted }),
  ]) {
    await expect(change()).rejects.toMatchObject(refused);
  }
  for (const chosen of [undefined, policyId]) {
    const { owner: received, ...others } = await payOnce(chosen);
    expect(received).toBeGreaterThan(0n);
    expect(others).toEqual({ thief: 0n, operator: 0n });
  }
});

test('who may manage changes the rest of a policy, and who may move funds its receiver too', async () => {
  const { apiKey } = tank;
  const { management } = service();
  const kept = { tokens: { tokenRecipient: owner.toLowerCase() as Address, allowed: [] }, requireTicket: false };
  expect(await manager.setPolicy({ apiKey, policy: kept })).toMatchObject({ tokens: { tokenRecipient: owner } });
  const { policyId } = await manager.createPolicy({ apiKey, name: 'copy', policy: kept });
  await manager.deletePolicy({ apiKey, policyId });

  const other = await management.createPolicy({ apiKey, name: 'other', policy: {} });
  await expect(manager.deletePolicy({ apiKey, policyId: other.policyId })).rejects.toMatchObject(refused);
  expect(await payOnce(other.policyId)).toMatchObject({ thief: 0n, owner: 0n, operator: expect.any(BigInt) });
  await management.deletePolicy({ apiKey, policyId: other.policyId });
});

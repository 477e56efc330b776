import { type Address, encodeFunctionData, parseEther, zeroAddress } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  type DevUserOperation,
  packUserOperation,
  toRpcUserOperation,
} from '../../server/dev/user-operation/dev-user-operation.ts';
import { bundler, depositOf, targetCall } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { askRpc, signedAnswer } from '../support/service/chain-rpc.ts';
import { withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { freshKey } from '../support/service/running-service.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { claimingOperation, deployLiar } from './lying-account.ts';

const service = useProductionService();
const amount = parseEther('1');
const sponsored = {
  mode: 'SPONSORED',
  sponsorshipInfo: { webhookData: {}, smartAccountInfo: { name: 'SIMPLE_7702', version: '1.0.0' } },
} as const;

function openTank(): Promise<ProductionTank> {
  return fundedTank(service(), { family: '0.8', amount, policy: { accounts: 'ANY' } });
}

/** What the tank has paid, holds and has left, in wei. */
async function readTank({ management, apiKey }: ProductionTank) {
  const { available, held, settled } = await management.readGasTank({ apiKey });
  return { available: BigInt(available), held: BigInt(held), settled: BigInt(settled) };
}

/** Has a tank's owner sign for an operation of a sender that says which code it is going to have. */
async function signedBy({ rpcUrl }: ProductionTank, drafted: DevUserOperation, said: Address) {
  const zeros = { r: '0x1', s: '0x1', yParity: '0x0' };
  const authorization = { address: said, chainId: '0x7a69', nonce: '0x0', ...zeros };
  const marked = { factory: '0x7702', factoryData: '0x', eip7702Auth: authorization };
  const asked = { ...toRpcUserOperation({ ...drafted, initCode: '0x' }), ...marked };
  return withAnswer(drafted, signedAnswer(await askRpc(rpcUrl, 'pm_sponsorUserOperation', [asked, sponsored])));
}

test('a sender who authorizes other code than it said has the tank that signed pay, and no other one', async () => {
  const { devnet } = service();
  const owner = privateKeyToAccount(freshKey());
  const [first, second] = [await openTank(), await openTank()];
  const claiming = await claimingOperation(devnet, '0.8', { sender: owner.address });
  const drafted: DevUserOperation = { ...claiming, initCode: '0x7702' };
  const calls = [targetCall(devnet, 'increment'), targetCall(devnet, 'increment')];
  const larger = { ...drafted, callData: encodeAccountCalls('0.8', calls) };
  const operation = await signedBy(first, drafted, devnet.simple7702Account);
  await signedBy(second, larger, devnet.simple7702Account);
  expect((await readTank(second)).held).toBeGreaterThan((await readTank(first)).held);

  const deposit = await depositOf(devnet, '0.8', first.contract);
  const delegation = await signDelegation(devnet, owner, await deployLiar(devnet, 2, zeroAddress));
  const hash = await devnet.client.sendTransaction({
    account: bundler,
    chain: devnet.client.chain,
    to: devnet.entryPoints['0.8'],
    data: encodeFunctionData({
      abi: entryPoint08Abi,
      functionName: 'handleOps',
      args: [[packUserOperation(operation)], bundler.address],
    }),
    gas: 3_000_000n,
    authorizationList: [delegation],
  });
  await devnet.client.waitForTransactionReceipt({ hash });
  const cost = deposit - (await depositOf(devnet, '0.8', first.contract));
  expect(cost).toBeGreaterThan(0n);
  await mineConfirmations(devnet);
  await vi.waitFor(async () => expect((await readTank(second)).held).toBe(0n), { timeout: 30_000, interval: 50 });

  expect(await readTank(second)).toEqual({ available: amount, held: 0n, settled: 0n });
  expect(await readTank(first)).toEqual({ available: amount - cost, held: 0n, settled: cost });
  const unsettled = /DOES NOT ADD UP|unmatched costs +[1-9]|unmatched costs +0\.\d/;
  expect(await service().operate('ledger', 'check')).not.toMatch(unsettled);
});

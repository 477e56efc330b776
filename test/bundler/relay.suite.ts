import { type Address, getAddress, numberToHex, parseEther } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import { accepted } from '../../server/accepted.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { dummySignature, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { newSmartAccount, type SmartAccount, walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { delegationOnWire, signedDelegation } from '../support/relay/delegation-lab.ts';
import { freeOperation, transfer } from '../support/relay/relay-lab.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';
import { type Alto, startAlto } from './start-alto.ts';

const version = '0.8';
/** The key that `startAlto` gives it to send bundles with. */
const executor = privateKeyToAddress(deriveDevKey(8));
const operationCount = Number(process.env.RELAY_OPERATIONS ?? 200);
const accountCount = 8;

let devnet: Devnet;
let alto: Alto;
let service: RunningService;
let relay: Address;
let paymaster: LabPaymaster;
let wallet: Awaited<ReturnType<typeof walletWith>>;

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(leasedSignerKey), idleBlockSeconds: 1 });
  relay = getAddress(devnet.entryPoints[version]);
  alto = await startAlto(devnet);
  const relayed = () => ({ kind: 'ALTO', url: alto.url, executors: [executor], entryPoint: version }) as const;
  service = await startService({
    devnet,
    configure: (config) => ({ ...config, chains: config.chains.map((chain) => ({ ...chain, relay: relayed() })) }),
  });
  wallet = await walletWith(devnet, parseEther('100'));
  paymaster = await openPaymaster(service, version);
  await chooseWallet(paymaster, wallet);
  await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER' } });
  await transfer(devnet, wallet, { to: executor, value: parseEther('10') });
  await vi.waitFor(() => expect(tank().funded).toBe(parseEther('10')), 20_000);
}, 180_000);
afterAll(async () => {
  await service.close();
  await alto.close();
  await devnet.close();
});

const tank = () => readTank(service.config.database, relay, wallet.address);

async function relayNext(account: SmartAccount) {
  const operation = await freeOperation(devnet, account);
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const params = [sent, relay, numberToHex(devnet.chainId), {}];
  const answer = await askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', params);
  return { operation, answer };
}

async function settled(): Promise<void> {
  await vi.waitFor(() => expect(tank().held).toBe(0n), { timeout: 120_000, interval: 500 });
}

async function checkContractLedgers() {
  const reports = accepted(await service.core.checkLedger({ allRows: true }));
  const own = reports.find(({ contract }) => contract === relay);
  expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [] });
  return own;
}

describe('operations relayed through alto', () => {
  test('land in its bundles, and the ledger is the executor’s balance to the wei', async () => {
    const accounts = Array.from({ length: accountCount }, () => newSmartAccount(version));
    let landed = 0;
    for (let round = 0; round * accountCount < operationCount; round += 1) {
      const sent = await Promise.all(accounts.map(relayNext));
      for (const { operation, answer } of sent) {
        expect(answer.message).toBeUndefined();
        expect(answer.result).toBe(await readUserOperationHash(devnet, operation));
      }
      landed += sent.length;
      await settled();
    }
    const own = await checkContractLedgers();
    const { settled: paid } = tank();
    expect(paid).toBeGreaterThan(0n);
    expect(own?.settled).toBe(paid);
    process.stdout.write(
      `relayed ${landed} operations, ${paid / BigInt(landed)} wei each, own costs ${own?.unexplainedCosts}\n`,
    );
  }, 600_000);

  test('survive that alto is killed with them, three times', async () => {
    const accounts = Array.from({ length: 3 }, () => newSmartAccount(version));
    for (let kills = 0; kills < 3; kills += 1) {
      await devnet.client.setAutomine(false);
      const sent = await Promise.all(accounts.map(relayNext));
      expect(sent.map(({ answer }) => answer.message)).toEqual([undefined, undefined, undefined]);
      await alto.close();
      await devnet.client.setAutomine(true);
      alto = await startAlto(devnet, Number(new URL(alto.url).port));
      await settled();
      for (const { operation } of sent) {
        const nonce = await devnet.client.readContract({
          address: relay,
          abi: [
            {
              type: 'function',
              name: 'getNonce',
              stateMutability: 'view',
              inputs: [{ type: 'address' }, { type: 'uint192' }],
              outputs: [{ type: 'uint256' }],
            },
          ],
          functionName: 'getNonce',
          args: [operation.sender, 0n],
        });
        expect(nonce).toBe(operation.nonce + 1n);
      }
    }
    await checkContractLedgers();
  }, 900_000);

  test('are refused with the bundler’s words when their signature is wrong', async () => {
    const operation = await freeOperation(devnet, newSmartAccount(version));
    const spoiled = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
    const signature = dummySignature;
    const params = [{ ...spoiled, signature }, relay, numberToHex(devnet.chainId), {}];
    const answer = await askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', params);
    expect(answer.message).toMatch(/The bundler does not accept the operation: .*(AA24|signature)/i);
    expect(tank().held).toBe(0n);
    await checkContractLedgers();
  });

  test('give an account its code, without a call', async () => {
    await paymaster.management.setPolicy({
      apiKey: paymaster.apiKey,
      policy: { relay: 'PREFER', allowAccountDeployment: true },
    });
    const { settled: before } = tank();
    const owner = privateKeyToAccount(freshKey());
    const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
    const operation = await signedDelegation(devnet, owner, devnet.simple7702Account);
    const params = [delegationOnWire(operation, authorization), relay, numberToHex(devnet.chainId), {}];
    const answer = await askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', params);
    expect(answer.message).toBeUndefined();
    await settled();
    expect(delegateOf(await devnet.client.getCode({ address: owner.address }))).toBe(devnet.simple7702Account);
    expect(tank().settled).toBeGreaterThan(before);
    await checkContractLedgers();
  }, 120_000);

  test('are not accepted while the executor is dry, and are again once it has coin', async () => {
    const balance = await devnet.client.getBalance({ address: executor });
    await devnet.client.setBalance({ address: executor, value: 1n });
    await devnet.client.mine({ blocks: 1 });
    const account = newSmartAccount(version);
    // The first may still be accepted by what was last seen of the chain.
    await vi.waitFor(async () => {
      const { held } = tank();
      expect((await relayNext(account)).answer.reason).toBe('INSUFFICIENT_FUNDS');
      expect(tank().held).toBe(held);
    }, 20_000);
    await devnet.client.setBalance({ address: executor, value: balance });
    await devnet.client.mine({ blocks: 1 });
    await vi.waitFor(async () => expect((await relayNext(account)).answer.message).toBeUndefined(), 20_000);
    await settled();
    await checkContractLedgers();
  }, 120_000);
});

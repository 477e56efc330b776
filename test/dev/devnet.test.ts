import { encodeFunctionData, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import {
  buildUserOperation,
  type DevCall,
  signUserOperation,
} from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation, OperationRefused } from '../../server/dev/user-operation/entry-point.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';

const depositAbi = parseAbi([
  'function getDepositInfo(address account) view returns (uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)',
]);
const erc20Abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const signerOfPaymasters = privateKeyToAccount(generatePrivateKey());

let devnet: Devnet;
beforeAll(async () => {
  devnet = await startDevnet({ port: 0, paymasterSigner: signerOfPaymasters.address });
});
afterAll(() => devnet.close());

function targetCall(functionName: string): DevCall {
  return { to: devnet.target.address, data: encodeFunctionData({ abi: devnet.target.abi, functionName }) };
}

/** An operation of a new account that pays for itself. */
async function selfPaid(
  version: (typeof entryPointVersions)[number],
  calls: readonly DevCall[],
): Promise<{ operation: DevUserOperation; owner: ReturnType<typeof privateKeyToAccount> }> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const built = await buildUserOperation(devnet, { version, owner: owner.address }, calls);
  await devnet.client.setBalance({ address: built.sender, value: parseEther('1') });
  const gas = { callGasLimit: 200_000n, verificationGasLimit: 600_000n, preVerificationGas: 60_000n };
  return { operation: { ...built, ...gas }, owner };
}

function bundler() {
  const [key] = devnet.fundedKeys;
  if (key === undefined) throw new Error('no funded key');
  return privateKeyToAccount(key);
}

describe('the development chain', () => {
  test.each(entryPointsOfRun)(
    'has a staked, empty paymaster for EntryPoint %s that knows its signer',
    async (version) => {
      const paymaster = devnet.paymasterContracts[devnetFamilies[version]];
      const [deposit, staked, stake] = await devnet.client.readContract({
        address: devnet.entryPoints[version],
        abi: depositAbi,
        functionName: 'getDepositInfo',
        args: [paymaster],
      });
      expect({ deposit, staked, stake }).toEqual({ deposit: 0n, staked: true, stake: parseEther('1') });
      const isSigner = await devnet.client.readContract({
        address: paymaster,
        abi: parseAbi(['function signers(address) view returns (bool)']),
        functionName: 'signers',
        args: [signerOfPaymasters.address],
      });
      expect(isSigner).toBe(true);
    },
  );

  test('has tokens of 6 and 18 decimals, and the token recipient owns one base unit of each', async () => {
    expect(devnet.tokens.map(({ decimals }) => decimals)).toEqual([6, 18]);
    for (const { address } of devnet.tokens) {
      const balance = await devnet.client.readContract({
        address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [devnet.tokenRecipient],
      });
      expect(balance).toBe(1n);
    }
  });

  test('is left as it is when it is prepared a second time', async () => {
    const blockBefore = await devnet.client.getBlockNumber();
    const second = await startDevnet({
      port: 0,
      nodeUrl: devnet.rpcUrl,
      paymasterSigner: signerOfPaymasters.address,
    });
    expect(await devnet.client.getBlockNumber()).toBe(blockBefore);
    expect(second.paymasterContracts).toEqual(devnet.paymasterContracts);
    await second.close();
    expect(await devnet.client.getChainId()).toBe(31_337);
  });

  test('a node address that no one answers on is a sentence and may be tried again', async () => {
    const start = startDevnet({
      port: 0,
      nodeUrl: 'http://127.0.0.1:1',
      paymasterSigner: signerOfPaymasters.address,
    });
    await expect(start).rejects.toMatchObject({ exitCode: 75, message: /does not respond/ });
  });

  test('a taken port is a sentence that names it', async () => {
    const port = Number(new URL(devnet.rpcUrl).port);
    const start = startDevnet({ port, paymasterSigner: signerOfPaymasters.address });
    await expect(start).rejects.toMatchObject({
      exitCode: 75,
      message: `Port ${port} is taken, so the development chain cannot start.`,
    });
  });
});

describe.each(entryPointsOfRun)('a user operation built for EntryPoint %s', (version) => {
  test('deploys its account, makes its call and pays from the account', async () => {
    const { operation, owner } = await selfPaid(version, [targetCall('increment')]);
    const outcome = await handleUserOperation(devnet, await signUserOperation(devnet, operation, owner), bundler());
    expect(outcome).toMatchObject({ success: true, sender: operation.sender });
    const count = await devnet.client.readContract({
      ...devnet.target,
      functionName: 'count',
      args: [operation.sender],
    });
    expect(count).toBe(1n);
    const next = await buildUserOperation(devnet, { version, owner: owner.address }, []);
    expect(next).toMatchObject({ sender: operation.sender, initCode: '0x', nonce: operation.nonce + 1n });
  });

  test('makes every call of a batch', async () => {
    const { operation, owner } = await selfPaid(version, [targetCall('increment'), targetCall('increment')]);
    const outcome = await handleUserOperation(devnet, await signUserOperation(devnet, operation, owner), bundler());
    expect(outcome.success).toBe(true);
    const count = await devnet.client.readContract({
      ...devnet.target,
      functionName: 'count',
      args: [operation.sender],
    });
    expect(count).toBe(2n);
  });

  test('lands without success when its call fails', async () => {
    const { operation, owner } = await selfPaid(version, [targetCall('fail')]);
    const outcome = await handleUserOperation(devnet, await signUserOperation(devnet, operation, owner), bundler());
    expect(outcome.success).toBe(false);
  });

  test('is refused by the EntryPoint when someone else signed it', async () => {
    const { operation } = await selfPaid(version, [targetCall('increment')]);
    const stranger = privateKeyToAccount(generatePrivateKey());
    const signed = await signUserOperation(devnet, operation, stranger);
    const sent = handleUserOperation(devnet, signed, bundler());
    await expect(sent).rejects.toThrow(OperationRefused);
    await expect(sent).rejects.toMatchObject({ reason: /^AA24/ });
  });
});

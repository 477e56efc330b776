import { readFileSync } from 'node:fs';
import {
  type Address,
  encodeDeployData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  http,
  maxUint256,
  parseAbi,
  parseUnits,
  slice,
} from 'viem';
import { createBundlerClient, formatUserOperationRequest, toSimple7702SmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { prepareTokenPayment } from '../../clients/sdk/tokens/prepare-token-payment.ts';
import { tokenPermit, tokenPermitTypedData } from '../../clients/sdk/tokens/token-permit.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import {
  bundler as bundlerKey,
  incrementsOf,
  mint,
  targetCall,
  tokenBalance,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { packageFile } from '../support/packages/pack.ts';
import { giveTokenPermits, permitTokenAbi } from '../support/paymaster-contracts/permit-token.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
let implementation: Address;
beforeAll(async () => {
  lab = await openClientLab();
  await giveTokenPermits(lab.devnet, tokenWith(lab.devnet, 6).address);
  const { client, entryPoints } = lab.devnet;
  const file = packageFile('@account-abstraction/contracts-0.9', 'artifacts/Simple7702Account.json');
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex };
  const abi = parseAbi(['constructor(address entryPoint)']);
  const data = encodeDeployData({ abi, bytecode, args: [entryPoints['0.9']] });
  const hash = await client.sendTransaction({ account: bundlerKey, chain: client.chain, data });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('The account’s code was not deployed.');
  implementation = contractAddress;
}, 60_000);
afterAll(() => lab?.close());

/** An EOA with tokens that delegates and has approved nothing, its bundler client, and the service. */
async function openPayer() {
  const { devnet } = lab;
  const token = tokenWith(devnet, 6);
  const owner = privateKeyToAccount(freshKey());
  await devnet.client.setCode({ address: owner.address, bytecode: delegationCode(implementation) });
  const account = await toSimple7702SmartAccount({
    client: chainClient(devnet),
    owner,
    entryPoint: '0.9',
    implementation,
  });
  const sponsor = createSponsorClient({ url: lab.paymaster('0.9').rpcUrl });
  const bundlerClient = createBundlerClient({
    account,
    client: chainClient(devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymaster(sponsor),
    pollingInterval: 20,
  });
  await mint(devnet, token, account.address, parseUnits('1000', 6));
  const calls = [targetCall(devnet, 'increment')];
  const spender = lab.paymaster('0.9').address;
  const prepare = () =>
    prepareTokenPayment(sponsor, { bundlerClient, token: token.address, calls, approval: 'PERMIT' });
  const send = async (operation: Parameters<typeof bundlerClient.sendUserOperation>[0]) => {
    const hash = await bundlerClient.sendUserOperation(operation);
    return bundlerClient.waitForUserOperationReceipt({ hash });
  };
  const sign = async (wish: { value?: bigint; deadline?: bigint } = {}) => {
    const parties = { token: token.address, owner: account.address, spender };
    const typedData = await tokenPermitTypedData(account.client, { ...parties, value: parseUnits('100', 6), ...wish });
    return tokenPermit(typedData, await account.signTypedData(typedData));
  };
  const allowance = () =>
    devnet.client.readContract({
      address: token.address,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [account.address, spender],
    });
  return { account, bundlerClient, token, calls, prepare, send, sign, allowance, spender };
}

describe('a first payment with a permit', () => {
  test('needs no approval call: what the SDK prepares lands for at most the quoted maximum', async () => {
    const { account, token, calls, prepare, send, allowance } = await openPayer();
    const payment = await prepare();
    expect(payment.calls).toHaveLength(calls.length);
    const before = await tokenBalance(lab.devnet, token, account.address);
    const { paymasterContext, operation } = payment;
    const receipt = await send({ calls: payment.calls, paymasterContext, ...operation });
    const paid = before - (await tokenBalance(lab.devnet, token, account.address));
    expect(receipt.success).toBe(true);
    expect(await incrementsOf(lab.devnet, account.address)).toBe(1n);
    expect(paid).toBeGreaterThan(0n);
    expect(paid).toBeLessThanOrEqual(payment.maximum);
    expect(await allowance()).toBe(payment.maximum - paid);
  });

  test('works with viem alone, whose paymaster context has the permit', async () => {
    const { token, calls, send, sign } = await openPayer();
    const paymasterContext = { token: token.address, permit: await sign() };
    expect((await send({ calls, paymasterContext })).success).toBe(true);
  });

  test('lands although another transaction used the permit first', async () => {
    const { account, token, calls, send, sign, spender, allowance } = await openPayer();
    const permit = await sign();
    const { client } = lab.devnet;
    const [r, s] = [`0x${permit.signature.slice(2, 66)}`, `0x${permit.signature.slice(66, 130)}`] as const;
    const v = Number(`0x${permit.signature.slice(130)}`);
    const args = [account.address, spender, BigInt(permit.value), maxUint256, v, r, s] as const;
    const use = { account: bundlerKey, chain: client.chain, address: token.address, abi: permitTokenAbi } as const;
    const hash = await client.writeContract({ ...use, functionName: 'permit', args });
    await client.waitForTransactionReceipt({ hash });
    expect(await allowance()).toBe(BigInt(permit.value));
    expect((await send({ calls, paymasterContext: { token: token.address, permit } })).success).toBe(true);
  });
});

describe('a permit is refused with the reason', () => {
  test('when its time is over', async () => {
    const { token, calls, send, sign } = await openPayer();
    const permit = await sign({ deadline: 1_000n });
    const sent = send({ calls, paymasterContext: { token: token.address, permit } });
    await expect(sent).rejects.toThrow(/The permit expired at 1000; it is now \d+\. Have the user sign a new one/);
  });

  test('when the token does not accept it', async () => {
    const { token, calls, send, prepare, sign } = await openPayer();
    const { operation } = await prepare();
    const foreign = await (await openPayer()).sign();
    const limited = { calls, ...operation };
    const sent = send({ ...limited, paymasterContext: { token: token.address, permit: foreign } });
    await expect(sent).rejects.toThrow(
      /does not accept the permit and reverts with Error\("ERC20Permit: invalid signature"\)/,
    );
    const small = await sign({ value: 5n });
    const paid = send({ ...limited, paymasterContext: { token: token.address, permit: small } });
    await expect(paid).rejects.toThrow(/The permit is for 5 base units of .*; the operation can cost up to/);
  });

  test('when it has no signature yet, or the paymaster contract passes none on', async () => {
    const { token, calls, send, prepare } = await openPayer();
    const { operation } = await prepare();
    const unsigned = send({ calls, ...operation, paymasterContext: { token: token.address, permit: {} } });
    await expect(unsigned).rejects.toThrow(/permit\.value is missing/);
    const sponsor = createSponsorClient({ url: lab.paymaster('0.8').rpcUrl });
    const account = await simpleAccount(lab.devnet, '0.8');
    const bundlerClient = createBundlerClient({
      account,
      client: chainClient(lab.devnet),
      transport: http(lab.bundler.url, { retryCount: 0 }),
      paymaster: createPaymaster(sponsor),
    });
    const other = bundlerClient.sendUserOperation({ calls, paymasterContext: { token: token.address, permit: {} } });
    await expect(other).rejects.toThrow(/does not support permits\. Leave out permit and add an approval to the calls/);
  });
});

test('account and paymaster sign at the same time an operation whose stub had the permit', async () => {
  const { account, token, sign, calls, bundlerClient } = await openPayer();
  const sponsor = createSponsorClient({ url: lab.paymaster('0.9').rpcUrl });
  const context = { token: token.address, permit: await sign(), parallelSigning: true };
  const paymaster = createPaymaster(sponsor);
  const prepared = await bundlerClient.prepareUserOperation({ calls, paymaster, paymasterContext: context });
  const signature = await account.signUserOperation(prepared);
  const params = [formatUserOperationRequest({ ...prepared, signature }), account.entryPoint.address] as const;
  const hash = await bundlerClient.request({ method: 'eth_sendUserOperation', params: [...params] });
  expect((await bundlerClient.waitForUserOperationReceipt({ hash })).success).toBe(true);
});

test('the signature ends no later than the permit', async () => {
  const { token, sign, calls, bundlerClient } = await openPayer();
  const { timestamp } = await lab.devnet.client.getBlock();
  const deadline = timestamp + 60n;
  const paymasterContext = { token: token.address, permit: await sign({ deadline }) };
  const { paymasterData = '0x' } = await bundlerClient.prepareUserOperation({ calls, paymasterContext });
  expect(hexToBigInt(slice(paymasterData, 1, 7))).toBe(deadline);
});

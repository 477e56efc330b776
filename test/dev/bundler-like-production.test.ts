import { encodeFunctionData, type Hex, numberToHex, parseAbi, parseEther, parseEventLogs, toHex } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devCoreConfig } from '../../server/dev/dev-core-config.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, plainLimits, targetCall } from '../support/chain/chain-lab.ts';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';

let devnet: Devnet;
let bundler: TestBundler;

beforeAll(async () => {
  devnet = await leaseDevnet();
  const unused = { masterKey: new Secret(new Uint8Array(32)), databaseFile: '' };
  const [chain] = devCoreConfig(devnet, { ...unused, signerKey: new Secret(leasedSignerKey) }, 0n).chains;
  if (chain === undefined) throw new Error('There is no chain.');
  bundler = await startTestBundler(devnet, chain);
});
afterAll(async () => {
  await bundler.close();
  await devnet.close();
});

type Answer = { result?: unknown; error?: { code: number; message: string } };

async function ask(method: string, ...params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(bundler.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return (await answer.json()) as Answer;
}

/** A signed operation of a new account that pays itself. */
async function selfPaid(version: EntryPointVersion, over: Partial<DevUserOperation> = {}) {
  const account = newSmartAccount(version);
  const built = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  await devnet.client.setBalance({ address: built.sender, value: parseEther('1') });
  return signUserOperation(devnet, { ...built, ...plainLimits('undeployed'), ...over }, account.owner);
}

async function send(operation: DevUserOperation): Promise<Answer> {
  const { entryPointVersion } = operation;
  return ask('eth_sendUserOperation', toRpcUserOperation(operation), devnet.entryPoints[entryPointVersion]);
}

describe.each(entryPointsOfRun)('like a bundler of production, on EntryPoint %s', (version) => {
  test('it answers the operation with the fields that were sent, and no others', async () => {
    const operation = await selfPaid(version);
    const { result: hash } = await send(operation);
    const { result } = await ask('eth_getUserOperationByHash', hash);
    const sent = toRpcUserOperation(operation);
    const lowerCase = (value: unknown) => JSON.parse(JSON.stringify(value).toLowerCase());
    expect(lowerCase((result as { userOperation: object }).userOperation)).toEqual(lowerCase(sent));
  });

  test('the logs of a receipt are those of the operation, and of the transaction all of them', async () => {
    const operation = await selfPaid(version);
    const { result: hash } = await send(operation);
    const { result } = await ask('eth_getUserOperationReceipt', hash);
    const { logs, receipt } = result as { logs: never[]; receipt: { logs: never[] } };
    const namesOf = (some: never[]) => parseEventLogs({ abi: entryPoint08Abi, logs: some }).map((log) => log.eventName);
    expect(namesOf(receipt.logs)).toContain('AccountDeployed');
    expect(namesOf(logs)).toEqual(['UserOperationEvent']);
    expect(logs.length).toBeGreaterThan(1);
  });

  test('it sends an operation with the authorization of its sender', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const delegate = privateKeyToAccount(generatePrivateKey()).address;
    // Code that answers every call with a zero, so it accepts any signature: PUSH1 32 PUSH1 0 RETURN.
    await devnet.client.setCode({ address: delegate, bytecode: '0x60206000f3' });
    await devnet.client.setBalance({ address: owner.address, value: parseEther('1') });
    const deposit = encodeFunctionData({
      abi: parseAbi(['function depositTo(address account) payable']),
      args: [owner.address],
    });
    const to = devnet.entryPoints[version];
    await devnet.client.impersonateAccount({ address: owner.address });
    const hash = await devnet.client.sendTransaction({
      account: owner.address,
      chain: devnet.client.chain,
      to,
      data: deposit,
      value: parseEther('0.5'),
    });
    await devnet.client.waitForTransactionReceipt({ hash });
    const nonce = await devnet.client.getTransactionCount({ address: owner.address });
    const signed = await owner.signAuthorization({ address: delegate, chainId: devnet.chainId, nonce });
    const eip7702Auth = {
      address: delegate,
      chainId: toHex(devnet.chainId),
      nonce: toHex(nonce),
      r: signed.r,
      s: signed.s,
      yParity: toHex(signed.yParity ?? 0),
    };
    const { factory: _, factoryData: __, ...plain } = toRpcUserOperation(await selfPaid(version));
    const unpaid = version === '0.6' ? { initCode: '0x' } : {};
    const operation = { ...plain, ...unpaid, sender: owner.address, nonce: '0x0', callData: '0x12345678', eip7702Auth };
    expect(await ask('eth_estimateUserOperationGas', operation, to)).not.toHaveProperty('error');
    const broken = { ...operation, eip7702Auth: { ...eip7702Auth, r: `0x${'ff'.repeat(32)}` } };
    expect((await ask('eth_sendUserOperation', broken, to)).error).toEqual({
      code: -32_602,
      message: 'eip7702Auth is not signed by the sender',
    });
    const empty = { ...operation, eip7702Auth: { ...eip7702Auth, s: '0x' } };
    expect((await ask('eth_sendUserOperation', empty, to)).error).toMatchObject({ code: -32_602 });
    const sent = await ask('eth_sendUserOperation', operation, to);
    const { result } = await ask('eth_getUserOperationReceipt', sent.result);
    expect(result).toMatchObject({ success: true, sender: owner.address });
    expect(await ask('eth_getUserOperationByHash', sent.result)).toMatchObject({
      result: { userOperation: { eip7702Auth: { r: signed.r } } },
    });
  });

  test('an estimate uses the state that the client wishes', async () => {
    const account = newSmartAccount(version);
    const receiver: Hex = `0x${'42'.repeat(20)}`;
    const sending = await nextOperation(devnet, account, [{ to: receiver, value: parseEther('3'), data: '0x' }]);
    const to = devnet.entryPoints[version];
    const method = 'eth_estimateUserOperationGas';
    const rich = { [sending.sender.toUpperCase().replace('0X', '0x')]: { balance: numberToHex(parseEther('4')) } };
    expect((await ask(method, toRpcUserOperation(sending), to)).error?.code).toBe(-32_521);
    expect(await ask(method, toRpcUserOperation(sending), to, rich)).not.toHaveProperty('error');
    expect((await ask(method, toRpcUserOperation(sending), to, { nobody: {} })).error?.code).toBe(-32_602);
  });

  test('an operation whose block a reorg has removed is not found any more', async () => {
    const before = await devnet.client.snapshot();
    const { result: hash } = await send(await selfPaid(version));
    const lookUps = ['eth_getUserOperationReceipt', 'eth_getUserOperationByHash'];
    for (const method of lookUps) expect((await ask(method, hash)).result).not.toBeNull();
    await devnet.client.revert({ id: before });
    for (const method of lookUps) expect(await ask(method, hash)).toMatchObject({ result: null });
  });

  test('it refuses an operation that does not pay for its transaction', async () => {
    expect((await send(await selfPaid(version, { preVerificationGas: 1n }))).error).toEqual({
      code: -32_602,
      message: expect.stringMatching(/^preVerificationGas is 1, but must be at least \d{5}$/),
    });
    const { baseFeePerGas } = await devnet.client.getBlock();
    const maxFeePerGas = (baseFeePerGas ?? 0n) - 1n;
    expect((await send(await selfPaid(version, { maxFeePerGas, maxPriorityFeePerGas: 1n }))).error).toEqual({
      code: -32_602,
      message: `maxFeePerGas is ${maxFeePerGas}, but must be at least ${baseFeePerGas}`,
    });
  });
});

test('the reason with which an account refuses an operation is told when it is sent', async () => {
  const operation = await selfPaid('0.7');
  await send(operation);
  // The account is of another EntryPoint, whose operations have the same form.
  const next = { ...operation, entryPointVersion: '0.8', initCode: '0x', nonce: 0n } as const;
  const { error } = await send(next);
  expect(error?.code).toBe(-32_500);
  expect(error?.message).toContain('AA23 reverted (revert Error("account: not from EntryPoint"))');
});

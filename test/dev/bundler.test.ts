import { type Address, encodeFunctionData, numberToHex, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { devCoreConfig } from '../../server/dev/dev-core-config.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { incrementsOf, newSmartAccount, nextOperation, plainLimits, targetCall } from '../support/chain/chain-lab.ts';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
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

type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string; data?: unknown } };

async function post(body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(bundler.url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

async function ask(method: string, ...params: readonly unknown[]): Promise<Answer> {
  return (await post({ jsonrpc: '2.0', id: 7, method, params })) as Answer;
}

/** The next operation of a new account that pays itself, with limits that do. */
async function selfPaid(version: EntryPointVersion, functionName: 'increment' | 'fail' = 'increment') {
  const account = newSmartAccount(version);
  const built = await nextOperation(devnet, account, [targetCall(devnet, functionName)]);
  await devnet.client.setBalance({ address: built.sender, value: parseEther('1') });
  const limits = plainLimits('undeployed');
  const operation: DevUserOperation = { ...built, ...limits };
  const sign = (over: Partial<DevUserOperation> = {}) =>
    signUserOperation(devnet, { ...operation, ...over }, account.owner);
  return { account, operation, sign };
}

describe.each(entryPointVersions)('the development bundler on EntryPoint %s', (version) => {
  test('lands an operation with the limits that it has estimated, and tells of it', async () => {
    const { operation, sign } = await selfPaid(version);
    const without = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
    const estimate = await ask(
      'eth_estimateUserOperationGas',
      toRpcUserOperation({ ...operation, ...without }),
      devnet.entryPoints[version],
    );
    const { callGasLimit, verificationGasLimit, preVerificationGas } = estimate.result as Record<string, string>;
    const limits = {
      callGasLimit: BigInt(callGasLimit ?? 0),
      verificationGasLimit: BigInt(verificationGasLimit ?? 0),
      preVerificationGas: BigInt(preVerificationGas ?? 0),
    };
    const sent = toRpcUserOperation(await sign(limits));
    const { result: hash, error } = await ask('eth_sendUserOperation', sent, devnet.entryPoints[version]);
    expect(error).toBeUndefined();
    expect(await incrementsOf(devnet, operation.sender)).toBe(1n);
    const { result: receipt } = await ask('eth_getUserOperationReceipt', hash);
    expect(receipt).toMatchObject({ userOpHash: hash, success: true, sender: operation.sender });
    const { result: found } = await ask('eth_getUserOperationByHash', hash);
    expect(found).toMatchObject({
      entryPoint: devnet.entryPoints[version],
      userOperation: { sender: operation.sender, callData: operation.callData, signature: sent.signature },
    });
  });

  test('names the reason of what it does not take as ERC-7769 has it', async () => {
    const { operation, sign } = await selfPaid(version);
    const entryPoint = devnet.entryPoints[version];
    const send = async (changed: DevUserOperation) =>
      (await ask('eth_sendUserOperation', toRpcUserOperation(changed), entryPoint)).error;
    const stranger = (await selfPaid(version)).sign;
    expect(await send({ ...operation, signature: (await stranger()).signature })).toMatchObject({
      code: -32_507,
      message: expect.stringMatching(/^AA24/),
    });
    expect(await send(await sign({ nonce: 1n }))).toMatchObject({
      code: -32_500,
      message: expect.stringMatching(/^AA25/),
    });
    const poor = newSmartAccount(version);
    const unpaid = { ...(await nextOperation(devnet, poor, [])), ...plainLimits('undeployed') };
    expect(await send(await signUserOperation(devnet, unpaid, poor.owner))).toMatchObject({
      code: -32_500,
      message: expect.stringMatching(/^AA21/),
    });
    const paymaster: Address = devnet.paymasterContracts[devnetFamilies[version]];
    const gas = version === '0.6' ? '' : numberToHex(100_000n, { size: 16 }).slice(2).repeat(2);
    const withPaymaster = await sign({ paymasterAndData: `${paymaster}${gas}${'00'.repeat(78)}` });
    // The paymasters have no deposit on this chain.
    expect(await send(withPaymaster)).toMatchObject({ code: -32_508, message: expect.stringMatching(/^AA31/) });
    expect(await incrementsOf(devnet, operation.sender)).toBe(0n);
  });

  test('says what the call reverts with, and hands out the bytes', async () => {
    const { operation } = await selfPaid(version, 'fail');
    const { error } = await ask(
      'eth_estimateUserOperationGas',
      toRpcUserOperation(operation),
      devnet.entryPoints[version],
    );
    const revert = encodeFunctionData({
      abi: parseAbi(['function FailedOnPurpose(address caller)']),
      args: [operation.sender],
    });
    expect(error).toMatchObject({ code: -32_521, message: expect.stringMatching(/^execution reverted/), data: revert });
  });
});

test('operations that are sent at the same time all land', async () => {
  const sent = await Promise.all(Array.from({ length: 3 }, () => selfPaid('0.7')));
  const answers = await Promise.all(
    sent.map(async ({ sign }) =>
      ask('eth_sendUserOperation', toRpcUserOperation(await sign()), devnet.entryPoints['0.7']),
    ),
  );
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  for (const { operation } of sent) expect(await incrementsOf(devnet, operation.sender)).toBe(1n);
});

test.each<[string, (operation: Record<string, unknown>) => unknown, RegExp]>([
  ['no operation', () => null, /^userOperation: /],
  ['an operation without callData', ({ callData: _, ...rest }) => rest, /^userOperation\.callData: must be bytes/],
  ['a decimal nonce', (operation) => ({ ...operation, nonce: '12' }), /^userOperation\.nonce: must be a number in hex/],
])('says what is wrong with %s', async (_, change, message) => {
  const operation = toRpcUserOperation((await selfPaid('0.8')).operation);
  for (const method of ['eth_sendUserOperation', 'eth_estimateUserOperationGas']) {
    const { error } = await ask(method, change(operation), devnet.entryPoints['0.8']);
    expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(message) });
  }
});

test('names the EntryPoints that it knows to one who means another', async () => {
  const operation = toRpcUserOperation((await selfPaid('0.8')).operation);
  const { error } = await ask('eth_sendUserOperation', operation, devnet.target.address);
  expect(error?.code).toBe(-32_602);
  for (const address of Object.values(devnet.entryPoints)) expect(error?.message).toContain(address);
});

test('answers batches, and pages of any origin', async () => {
  const batch = ['eth_chainId', 'eth_supportedEntryPoints', 'no_such'].map((method, id) => ({
    jsonrpc: '2.0',
    id,
    method,
  }));
  expect(await post(batch)).toMatchObject([
    { id: 0, result: numberToHex(devnet.chainId) },
    { id: 1, result: Object.values(devnet.entryPoints) },
    { id: 2, error: { code: -32_601 } },
  ]);
  const headers = { origin: 'https://app.example', 'access-control-request-headers': 'content-type' };
  const preflight = await fetch(bundler.url, { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect(await post('not a request')).toMatchObject({ error: { code: -32_600 } });
});

test('tells fees in the forms that published clients ask for, and nothing of operations it has not sent', async () => {
  const { baseFeePerGas } = await devnet.client.getBlock();
  for (const method of ['pimlico_getUserOperationGasPrice', 'zd_getUserOperationGasPrice']) {
    const { standard } = (await ask(method)).result as { standard: Record<string, string> };
    expect(BigInt(standard.maxFeePerGas ?? 0)).toBeGreaterThan(baseFeePerGas ?? 0n);
    expect(BigInt(standard.maxPriorityFeePerGas ?? 0)).toBeLessThanOrEqual(BigInt(standard.maxFeePerGas ?? 0));
  }
  expect(BigInt((await ask('rundler_maxPriorityFeePerGas')).result as string)).toBeGreaterThan(0n);
  for (const method of ['eth_getUserOperationByHash', 'eth_getUserOperationReceipt']) {
    expect((await ask(method, `0x${'00'.repeat(32)}`)).result).toBeNull();
  }
});

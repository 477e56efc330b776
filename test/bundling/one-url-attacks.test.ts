import { type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { rpcBody } from '../../server/dev/rpc-call.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { incrementsOf, newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { scrape, sumOf } from '../support/metrics/scrape.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type OneUrlLab, openOneUrlLab } from './one-url-lab.ts';

let lab: OneUrlLab;
beforeAll(async () => {
  lab = await openOneUrlLab('OWN');
});
afterAll(() => lab.close());

type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
};

async function ask(url: string, method: string, params: readonly unknown[]): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: rpcBody(method, params) });
  const text = await response.text();
  // No answer names the bundler.
  expect(text.includes(new URL(lab.bundler.url).host)).toBe(false);
  return JSON.parse(text);
}

/** An operation that the paymaster of a version has signed, and its account's signature. */
async function signedOperation(version: EntryPointVersion) {
  const account = newSmartAccount(version);
  const { rpcUrl: url } = lab.paymaster(version);
  const drafted = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
  const sponsored = withAnswer(drafted, await sponsor(url, drafted));
  return { url, account, operation: await signUserOperation(lab.devnet, sponsored, account.owner) };
}

function send(url: string, operation: DevUserOperation, more: object = {}): Promise<Answer> {
  const { entryPointVersion: version } = operation;
  return ask(url, 'eth_sendUserOperation', [
    { ...toRpcUserOperation(operation), ...more },
    lab.devnet.entryPoints[version],
  ]);
}

const sends = () => lab.bundler.methods.filter((method) => method === 'eth_sendUserOperation').length;

/** Sends what must not reach the bundler. */
async function expectNotSent(url: string, operation: DevUserOperation, more: object = {}): Promise<void> {
  const before = sends();
  const { error } = await send(url, operation, more);
  expect(error).toMatchObject({ code: -32013, data: { reason: 'OPERATION_NOT_SIGNED' } });
  expect(sends()).toBe(before);
}

describe.each(entryPointsOfRun)('OWN at EntryPoint %s', (version) => {
  test('lands a signed operation once, however often it is sent', async () => {
    const { url, operation } = await signedOperation(version);
    const { result } = await send(url, operation);
    expect(result).toMatch(/^0x[0-9a-f]{64}$/);
    const again = await send(url, operation);
    // Until the ledger has seen it land, the bundler knows it; then its hold has ended.
    if (again.error === undefined) expect(again.result).toBe(result);
    else expect(again.error.data?.reason).toBe('OPERATION_NOT_SIGNED');
    expect(await incrementsOf(lab.devnet, operation.sender)).toBe(1n);
  });

  test('keeps what another account’s paymaster has signed from the bundler', async () => {
    const { operation } = await signedOperation(version);
    const { authToken } = await lab.service.issueAccount();
    const stranger = await lab.service.fundedPaymaster(authToken, version, 7);
    await expectNotSent(stranger.rpcUrl, operation);
  });

  test('keeps an operation from the bundler that was changed after the paymaster had signed', async () => {
    const { url, operation } = await signedOperation(version);
    for (const changed of [
      { ...operation, callData: targetCall(lab.devnet, 'fail').data },
      { ...operation, callGasLimit: operation.callGasLimit + 1n },
      { ...operation, preVerificationGas: operation.preVerificationGas + 1n },
      { ...operation, maxFeePerGas: operation.maxFeePerGas + 1n },
      { ...operation, nonce: operation.nonce + 1n },
      { ...operation, paymasterAndData: withOtherTerms(operation.paymasterAndData) },
    ]) {
      await expectNotSent(url, changed);
    }
  });

  test('keeps an operation from the bundler that has the paymaster’s address and a stranger’s data', async () => {
    const account = newSmartAccount(version);
    const drafted = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
    const head = version === '0.6' ? '' : '7530'.padStart(32, '0').repeat(2);
    const paymasterAndData: Hex = `${lab.paymaster(version).address}${head}${'ab'.repeat(77)}`;
    const limits = { callGasLimit: 100_000n, verificationGasLimit: 100_000n, preVerificationGas: 60_000n };
    await expectNotSent(lab.paymaster(version).rpcUrl, { ...drafted, ...limits, paymasterAndData });
  });

  test('keeps an operation without this paymaster from the bundler, and has none of another one estimated', async () => {
    const account = newSmartAccount(version);
    const drafted = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
    const { rpcUrl: url } = lab.paymaster(version);
    const limits = { callGasLimit: 100_000n, verificationGasLimit: 100_000n, preVerificationGas: 60_000n };
    await expectNotSent(url, { ...drafted, ...limits });
    const other = `0x${'bb'.repeat(20)}`;
    const foreign = version === '0.6' ? { paymasterAndData: other } : { paymaster: other, paymasterData: '0x' };
    const params = [{ ...toRpcUserOperation(drafted), ...foreign }, lab.devnet.entryPoints[version]];
    const { error } = await ask(url, 'eth_estimateUserOperationGas', params);
    expect(error?.data).toMatchObject({ reason: 'OPERATION_NOT_SIGNED', field: 'paymaster' });
  });

  test('passes on what the bundler says of a bad signature, with its code, our decision and the hash', async () => {
    const { url, operation, account } = await signedOperation(version);
    const other = newSmartAccount(version).owner;
    const spoiled = await signUserOperation(lab.devnet, operation, other);
    const { error } = await send(url, spoiled);
    expect(error).toMatchObject({ code: -32507, message: expect.stringContaining('AA24') });
    expect(error?.data).toMatchObject({
      reason: 'BUNDLER_REFUSED',
      aaCode: 'AA24',
      decisionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const good = await signUserOperation(lab.devnet, operation, account.owner);
    expect((await send(url, good)).result).toBe(error?.data?.userOpHash);
  });
});

/** The first byte of what the contract alone knows turned over. */
function withOtherTerms(paymasterAndData: Hex): Hex {
  const at = paymasterAndData.length - 2 * 70;
  const turned = Number.parseInt(paymasterAndData.slice(at, at + 2), 16) ^ 0xff;
  return `${paymasterAndData.slice(0, at) as Hex}${numberToHex(turned, { size: 1 }).slice(2)}${paymasterAndData.slice(at + 2)}`;
}

test('a batch is answered in order, and its answers do not contradict each other', async () => {
  const { rpcUrl } = lab.paymaster('0.7');
  const methods = ['eth_chainId', 'pm_chainId', 'eth_supportedEntryPoints', 'pm_supportedEntryPoints'];
  const body = methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }));
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answers = (await response.json()) as readonly { readonly id: number; readonly result: unknown }[];
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
  const results = answers.map(({ result }) => result);
  expect(results[0]).toBe(results[1]);
  expect(results[2]).toEqual(results[3]);
  expect(results[2]).toEqual([lab.devnet.entryPoints['0.7']]);
});

test('a body that is too large is refused before anyone reads it', async () => {
  const { rpcUrl } = lab.paymaster('0.7');
  const before = lab.bundler.methods.length;
  const body = rpcBody('eth_sendUserOperation', [
    { callData: `0x${'ff'.repeat(200_000)}` },
    lab.devnet.entryPoints['0.7'],
  ]);
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(response.status).toBe(413);
  expect(lab.bundler.methods.length).toBe(before);
});

test('methods of a bundler that are not listed do not exist', async () => {
  const { rpcUrl } = lab.paymaster('0.7');
  for (const method of ['debug_bundler_sendBundleNow', 'boost_sendUserOperation', 'eth_getBalance', 'constructor']) {
    expect((await ask(rpcUrl, method, [])).error?.code).toBe(-32601);
    expect(lab.bundler.methods).not.toContain(method);
  }
});

test('the requests are counted by what they came to', async () => {
  const samples = await scrape(lab.service.adminUrl);
  for (const outcome of ['answered', 'refused', 'denied']) {
    const labels = { chain: String(lab.devnet.chainId), operation: 'sendUserOperation', outcome };
    expect(sumOf(samples, 'tollfree_bundler_calls_total', labels)).toBeGreaterThan(0);
  }
});

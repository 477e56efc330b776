import { join } from 'node:path';
import { createSmartAccountClient } from 'permissionless';
import { type Address, decodeFunctionData, erc20Abi, http, parseEther, parseUnits } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { TokenNotTakenError } from '../../clients/sdk/errors/errors.ts';
import { prepareTokenPayment } from '../../clients/sdk/tokens/prepare-token-payment.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { depositOf, incrementsOf, mint, targetCall, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { readHolds } from '../support/service/chain-ledger.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
});
afterAll(() => lab?.close());

/** An account with tokens, its bundler client, and the service. */
async function openPayer(version: EntryPointVersion, token: DevnetToken) {
  const account = await simpleAccount(lab.devnet, version);
  const sponsor = createSponsorClient({ url: lab.paymaster(version).rpcUrl });
  const bundlerClient = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymaster(sponsor),
    pollingInterval: 20,
  });
  await mint(lab.devnet, token, account.address, parseUnits('1000', token.decimals));
  const prepare = () =>
    prepareTokenPayment(sponsor, { bundlerClient, token: token.address, calls: [targetCall(lab.devnet, 'increment')] });
  const send = async ({ calls, paymasterContext, operation }: Awaited<ReturnType<typeof prepare>>) => {
    const hash = await bundlerClient.sendUserOperation({ calls, paymasterContext, ...operation });
    return bundlerClient.waitForUserOperationReceipt({ hash });
  };
  const readState = async () => ({
    tokens: await tokenBalance(lab.devnet, token, account.address),
    allowance: await allowanceOf(token, account.address, lab.paymaster(version).address),
    deposit: await depositOf(lab.devnet, version, lab.paymaster(version).address),
    increments: await incrementsOf(lab.devnet, account.address),
    coin: await lab.devnet.client.getBalance({ address: account.address }),
  });
  return { account, sponsor, bundlerClient, prepare, send, readState };
}

function allowanceOf(token: DevnetToken, owner: Address, spender: Address): Promise<bigint> {
  const functionName = 'allowance';
  return lab.devnet.client.readContract({
    address: token.address,
    abi: erc20Abi,
    functionName,
    args: [owner, spender],
  });
}

/** What the calls approve, in order; the last call is the caller's own. */
function approvedAmounts(calls: Awaited<ReturnType<typeof prepareTokenPayment>>['calls']): readonly unknown[] {
  return calls.slice(0, -1).map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }).args?.[1]);
}

describe.each(rowsOfRun(entryPointVersions.toReversed(), 2))('a payment with EntryPoint %s', (version) => {
  test.each(rowsOfRun([6, 18], 1))(
    'approves exactly the maximum of a token with %s decimals and lands below it',
    async (decimals) => {
      const { prepare, send, readState } = await openPayer(version, tokenWith(lab.devnet, decimals));
      const payment = await prepare();
      expect(approvedAmounts(payment.calls)).toEqual([payment.maximum]);
      const before = await readState();
      const receipt = await send(payment);
      const after = await readState();
      const paid = before.tokens - after.tokens;
      expect(receipt.success).toBe(true);
      expect(after.increments - before.increments).toBe(1n);
      expect(paid).toBeGreaterThan(0n);
      // What is expected is nearer to what was paid than the maximum, and never below it by much.
      expect(payment.expected).toBeLessThan((paid + payment.maximum) / 2n);
      expect(payment.expected).toBeGreaterThan((paid * 9n) / 10n);
      expect(after.allowance).toBe(payment.maximum - paid);
      expect(before.deposit - after.deposit).toBe(receipt.actualGasCost);
      expect([before.coin, after.coin]).toEqual([0n, 0n]);
    },
  );

  test('approves again when what is left of an allowance is too little', async () => {
    const token = tokenWith(lab.devnet, 6);
    const { account, prepare, send } = await openPayer(version, token);
    await send(await prepare());
    await setAllowance(token, account.address, lab.paymaster(version).address, 1n);
    const second = await prepare();
    expect(approvedAmounts(second.calls)).toEqual([second.maximum]);
    expect((await send(second)).success).toBe(true);
  });

  test('approves nothing when an allowance is high enough', async () => {
    const token = tokenWith(lab.devnet, 6);
    const { account, prepare, send } = await openPayer(version, token);
    const first = await prepare();
    await send(first);
    await setAllowance(token, account.address, lab.paymaster(version).address, 2n * first.maximum);
    const second = await prepare();
    expect(approvedAmounts(second.calls)).toEqual([]);
    expect((await send(second)).success).toBe(true);
  });
});

/** Sets an allowance of an account that is on chain, by way of 0. */
async function setAllowance(token: DevnetToken, owner: Address, spender: Address, amount: bigint): Promise<void> {
  const { client } = lab.devnet;
  const coin = await client.getBalance({ address: owner });
  await client.impersonateAccount({ address: owner });
  await client.setBalance({ address: owner, value: parseEther('1') });
  for (const value of [0n, amount]) {
    const approve = { address: token.address, abi: erc20Abi, functionName: 'approve', args: [spender, value] } as const;
    const hash = await client.writeContract({ ...approve, account: owner, chain: null });
    await client.waitForTransactionReceipt({ hash });
  }
  await client.setBalance({ address: owner, value: coin });
  await client.stopImpersonatingAccount({ address: owner });
}

test('a client of permissionless sends what was prepared with it', async () => {
  const token = tokenWith(lab.devnet, 18);
  const { account, sponsor, readState } = await openPayer('0.7', token);
  const client = createSmartAccountClient({
    account,
    client: chainClient(lab.devnet),
    bundlerTransport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymaster(sponsor),
    pollingInterval: 20,
  });
  const before = await readState();
  const { calls, paymasterContext, operation } = await prepareTokenPayment(sponsor, {
    bundlerClient: client,
    token: token.address,
    calls: [targetCall(lab.devnet, 'increment')],
  });
  const hash = await client.sendUserOperation({ calls, paymasterContext, ...operation });
  expect((await client.waitForUserOperationReceipt({ hash })).success).toBe(true);
  expect((await readState()).tokens).toBeLessThan(before.tokens);
});

test('preparing sends nothing and holds nothing; sending holds once', async () => {
  const { prepare, send } = await openPayer('0.7', tokenWith(lab.devnet, 6));
  const { address, fundingWallet } = lab.paymaster('0.7');
  const countHolds = () => readHolds(lab.service.config.database, address, fundingWallet).length;
  const countSent = () => lab.bundler.methods.filter((method) => method === 'eth_sendUserOperation').length;
  const before = { holds: countHolds(), sent: countSent() };
  const payment = await prepare();
  expect({ holds: countHolds(), sent: countSent() }).toEqual(before);
  await send(payment);
  expect({ holds: countHolds(), sent: countSent() }).toEqual({ holds: before.holds + 1, sent: before.sent + 1 });
});

test('a token that is not taken is named', async () => {
  const { bundlerClient, sponsor } = await openPayer('0.7', tokenWith(lab.devnet, 6));
  const token = lab.devnet.target.address;
  const call = prepareTokenPayment(sponsor, { bundlerClient, token, calls: [] });
  await expect(call).rejects.toThrow(new TokenNotTakenError(token));
});

test('a client without an account is a mistake of the caller', async () => {
  const sponsor = createSponsorClient({ url: lab.paymaster('0.7').rpcUrl });
  const bundlerClient = createBundlerClient({ transport: http(lab.bundler.url) });
  const call = prepareTokenPayment(sponsor, { bundlerClient, token: tokenWith(lab.devnet, 6).address, calls: [] });
  await expect(call).rejects.toThrow(TypeError);
});

test('a token that replaces no allowance but 0 gets 0 first, once there is an allowance', async () => {
  const token = tokenWith(lab.devnet, 18);
  const strict = compileSolidity(join(import.meta.dirname, 'contracts/StrictToken.sol')).get('StrictToken');
  if (strict === undefined) throw new Error('StrictToken was not compiled.');
  await lab.devnet.client.setCode({ address: token.address, bytecode: strict.runtimeBytecode });
  const { account, prepare, send } = await openPayer('0.7', token);
  const first = await prepare();
  expect(approvedAmounts(first.calls)).toEqual([first.maximum]);
  expect((await send(first)).success).toBe(true);
  await setAllowance(token, account.address, lab.paymaster('0.7').address, 1n);
  const second = await prepare();
  expect(approvedAmounts(second.calls)).toEqual([0n, second.maximum]);
  expect((await send(second)).success).toBe(true);
});

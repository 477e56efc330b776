import { readFileSync } from 'node:fs';
import { concat, encodeDeployData, getCreate2Address, type Hex, http, numberToHex, parseAbi, size, slice } from 'viem';
import {
  createBundlerClient,
  formatUserOperationRequest,
  toSimple7702SmartAccount,
  type UserOperation,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { getPaymasterData } from '../../clients/sdk/sponsor/get-paymaster-data.ts';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { accepted } from '../../server/accepted.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import { bundler as bundlerKey, depositOf, mint, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { packageFile } from '../support/packages/pack.ts';
import { type ClientLab, chainClient, expectSponsored, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

const salt: Hex = `0x${'00'.repeat(32)}`;

let lab: ClientLab;
let implementation: Hex;
beforeAll(async () => {
  lab = await openClientLab();
  const file = packageFile('@account-abstraction/contracts-0.9', 'artifacts/Simple7702Account.json');
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex };
  const abi = parseAbi(['constructor(address entryPoint)']);
  const creationCode = encodeDeployData({ abi, bytecode, args: [lab.devnet.entryPoints['0.9']] });
  implementation = getCreate2Address({ from: create2Deployer, salt, bytecode: creationCode });
  await sendInOrder(lab.devnet.client, bundlerKey, [
    { description: 'Simple7702Account', to: create2Deployer, data: concat([salt, creationCode]), gas: 5_000_000n },
  ]);
}, 60_000);
afterAll(() => lab.close());

type Context = Readonly<Record<string, unknown>>;

/**
 * viem's own account and bundler client of EntryPoint 0.9, for a sender that has delegated already, with the paymaster of
 * the SDK: viem's leaves `paymasterSignature` out.
 */
async function open(context: Context) {
  const owner = privateKeyToAccount(freshKey());
  const { client } = lab.devnet;
  await client.setCode({ address: owner.address, bytecode: delegationCode(implementation) });
  const account = await toSimple7702SmartAccount({
    client: chainClient(lab.devnet),
    owner,
    entryPoint: '0.9',
    implementation,
  });
  const sponsorClient = createSponsorClient({ url: lab.paymaster('0.9').rpcUrl });
  const paymaster = createPaymaster(sponsorClient);
  const bundlerClient = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster,
    paymasterContext: context,
    pollingInterval: 20,
  });
  const call = targetCall(lab.devnet, 'increment');
  const where = { chainId: lab.devnet.chainId, entryPointAddress: account.entryPoint.address, context };
  /** Everything but the two signatures: what a stub has said is kept. */
  const prepare = () =>
    bundlerClient.prepareUserOperation({
      calls: [call],
      paymaster: { getPaymasterStubData: paymaster.getPaymasterStubData, getPaymasterData: async () => ({}) as never },
    }) as Promise<UserOperation<'0.9'>>;
  const askAs = (given: Context, operation: UserOperation<'0.9'>) =>
    getPaymasterData(sponsorClient, { ...operation, ...where, context: given } as never);
  const askSignature = (operation: UserOperation<'0.9'>) => askAs(context, operation);
  /** A stub as the service answers it, with the fields that no client puts into an operation. */
  const askStub = async (operation: UserOperation<'0.9'>) => {
    const params = [
      formatUserOperationRequest(operation),
      account.entryPoint.address,
      numberToHex(where.chainId),
      context,
    ];
    const { result } = await sponsorClient.call('pm_getPaymasterStubData', params);
    return result as { readonly paymasterData: Hex; readonly validUntil: number };
  };
  const failing = () => account.encodeCalls([targetCall(lab.devnet, 'fail')]);
  const send = async (operation: UserOperation<'0.9'>) => {
    const params = [formatUserOperationRequest(operation), account.entryPoint.address] as const;
    const hash = await bundlerClient.request({ method: 'eth_sendUserOperation', params: [...params] });
    return bundlerClient.waitForUserOperationReceipt({ hash });
  };
  return { account, bundlerClient, call, prepare, askAs, askSignature, askStub, failing, send };
}
type Opened = Awaited<ReturnType<typeof open>>;

const parallel = { parallelSigning: true };
const contexts = () =>
  [
    ['SPONSORED', parallel],
    ['ERC20', { ...parallel, token: tokenWith(lab.devnet, 6).address }],
  ] as const;

test.each(['SPONSORED', 'ERC20'] as const)(
  'mode %s: account and paymaster sign at the same time, and it lands',
  async (mode) => {
    const context = new Map<string, Context>(contexts()).get(mode) ?? {};
    const { account, prepare, askSignature, askStub, send } = await open(context);
    if (mode === 'ERC20') await payable(account.address);
    const prepared = await prepare();
    const [signature, given] = await Promise.all([account.signUserOperation(prepared), askSignature(prepared)]);
    expect(given.paymasterData).toBe(prepared.paymasterData);
    expect(given.paymasterSignature).not.toBe(prepared.paymasterSignature);
    expect(size(given.paymasterSignature ?? '0x')).toBe(65);
    // Both answers state the end that the contract will read: after one byte, in six.
    for (const { paymasterData = '0x', validUntil } of [await askStub(prepared), given])
      expect(validUntil).toBe(Number(slice(paymasterData, 1, 7)));

    const { address } = lab.paymaster('0.9');
    const before = await depositOf(lab.devnet, '0.9', address);
    await expect(send({ ...prepared, signature })).rejects.toThrow(/AA34/);
    const receipt = await send({ ...prepared, signature, paymasterSignature: given.paymasterSignature });
    expect(receipt.success).toBe(true);
    expect(before - (await depositOf(lab.devnet, '0.9', address))).toBe(receipt.actualGasCost);
  },
);

test('of four operations that the account’s tokens pay for once, one is signed, and another once it has landed', async () => {
  const token = tokenWith(lab.devnet, 6);
  const { account, prepare, askSignature, send } = await open({ ...parallel, token: token.address });
  await payable(account.address, token, 0n);
  const [first, ...others] = [await prepare(), await prepare(), await prepare(), await prepare()];
  const refused = await askSignature(first).then(
    () => expect.fail('It was signed.'),
    ({ message }: Error) => message,
  );
  const needed = BigInt(/can cost up to (\d+)/.exec(refused)?.[1] ?? 0);
  await mint(lab.devnet, token, account.address, (needed * 19n) / 10n);
  const answers = await Promise.allSettled([first, ...others].map(askSignature));
  const signed = answers.flatMap((answer, nth) => (answer.status === 'fulfilled' ? [{ nth, ...answer.value }] : []));
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
  expect(signed).toHaveLength(1);
  for (const reason of reasons) expect(reason).toContain('other signed operations of the sender');
  const { nth = 0, paymasterSignature } = signed[0] ?? expect.fail();
  const operation = [first, ...others][nth] ?? expect.fail();
  const signature = await account.signUserOperation(operation);
  expect(await send({ ...operation, signature, paymasterSignature })).toMatchObject({ success: true });
  // It took less than its maximum. What the ledger knows of it by now does not matter.
  expect((await askSignature(await prepare())).paymasterSignature).toBeDefined();
});

/** Tokens of the account, which the paymaster may take. */
async function payable(sender: Hex, token = tokenWith(lab.devnet, 6), owned = 10n ** 12n): Promise<void> {
  if (owned > 0n) await mint(lab.devnet, token, sender, owned);
  const { client } = lab.devnet;
  await client.impersonateAccount({ address: sender });
  await client.setBalance({ address: sender, value: 10n ** 18n });
  const abi = parseAbi(['function approve(address spender, uint256 value) returns (bool)']);
  const args = [lab.paymaster('0.9').address, 2n ** 255n] as const;
  const hash = await client.writeContract({
    account: sender,
    chain: client.chain,
    address: token.address,
    abi,
    functionName: 'approve',
    args,
  });
  await client.waitForTransactionReceipt({ hash });
}

test.each([
  ['asks for it', parallel],
  ['knows nothing of it', {}],
])('an operation of a client that %s lands by viem alone', async (_, context) => {
  const { account, bundlerClient, call } = await open(context);
  await expectSponsored(lab, '0.9', account.address, 'viem', async () => {
    const hash = await bundlerClient.sendUserOperation({ calls: [call] });
    return bundlerClient.waitForUserOperationReceipt({ hash });
  });
});
const unknownCode = {
  address: `0x${'ab'.repeat(20)}`,
  chainId: 31_337,
  nonce: 0,
  r: `0x${'11'.repeat(32)}`,
  s: `0x${'22'.repeat(32)}`,
  yParity: 0,
} as const;

describe('what a stub has not promised', () => {
  const refused = /differs from the data that pm_getPaymasterStubData promised/;

  test('is not signed: another time, another operation, data that no one has answered', async () => {
    const { prepare, askSignature } = await open(parallel);
    const prepared = await prepare();
    const data = prepared.paymasterData ?? '0x';
    const later: Hex = `0x${data.slice(2, 12)}ff${data.slice(14)}`;
    await expect(askSignature({ ...prepared, paymasterData: later })).rejects.toThrow(refused);
    await expect(askSignature({ ...prepared, nonce: prepared.nonce + 1n })).rejects.toThrow(refused);
    await expect(askSignature({ ...prepared, paymasterData: '0x1234' })).rejects.toThrow(refused);
    expect((await askSignature(prepared)).paymasterData).toBe(data);
  });

  test('is not signed: the terms of the other mode, and limits of the paymaster that the account has not signed', async () => {
    const { prepare } = await open(parallel);
    const prepared = await prepare();
    const other = await open({ ...parallel, token: tokenWith(lab.devnet, 6).address });
    await expect(other.askSignature(prepared)).rejects.toThrow(refused);
    const { askSignature } = await open(parallel);
    const low = { ...prepared, paymasterVerificationGasLimit: 1n };
    await expect(askSignature(low)).rejects.toThrow(/paymasterVerificationGasLimit must be/);
  });

  test('is not signed: the price of one token for a request that was checked for another one', async () => {
    const [promised, other] = [tokenWith(lab.devnet, 6), tokenWith(lab.devnet, 18)];
    const { account, prepare, askAs } = await open({ ...parallel, token: promised.address });
    await payable(account.address);
    await payable(account.address, other);
    const prepared = await prepare();
    await expect(askAs({ ...parallel, token: other.address }, prepared)).rejects.toThrow(refused);
    expect((await askAs({ ...parallel, token: promised.address }, prepared)).paymasterData).toBe(
      prepared.paymasterData,
    );
  });

  test('is not signed: a share that the user was to pay, once the policy has another one or its limits are used up', async () => {
    const { core } = lab.service;
    const { accountId } = accepted(await core.authenticate({ authToken: lab.authToken }));
    const setPolicy = async (policy: Partial<Policy>) => {
      const owned = { accountId, paymasterId: lab.paymaster('0.9').paymasterId };
      accepted(await core.setPolicy({ ...owned, policy: { ...defaultPolicy, ...policy } }));
    };
    onTestFinished(() => setPolicy({}));
    await setPolicy({ userPaysPercent: 40 });
    const { account, prepare, askSignature, send } = await open({
      ...parallel,
      token: tokenWith(lab.devnet, 6).address,
    });
    await payable(account.address);
    const prepared = await prepare();
    await setPolicy({ userPaysPercent: 60 });
    await expect(askSignature(prepared)).rejects.toThrow(refused);
    await setPolicy({});
    await expect(askSignature(prepared)).rejects.toThrow(refused);
    const limits = [{ per: 'total', window: 'ever', unit: 'wei', max: 0n }] as const;
    await setPolicy({ userPaysPercent: 40, thenPayInToken: true, limits });
    await expect(askSignature(prepared)).rejects.toThrow(/The policy sponsors 0 wei/);
    await setPolicy({ userPaysPercent: 40 });
    const { paymasterData, paymasterSignature } = await askSignature(prepared);
    expect(paymasterData).toBe(prepared.paymasterData);
    const signature = await account.signUserOperation(prepared);
    expect(await send({ ...prepared, signature, paymasterSignature })).toMatchObject({ success: true });
  });

  test.each([
    ['a policy', () => ({ policyId: lab.policyId('0.9') }), refused],
    ['a shorter validity', () => ({ expiryDuration: 60 }), refused],
  ])('is not signed for a request that names %s, of which the stub knew nothing', async (_, change, reason) => {
    const { prepare, askAs } = await open(parallel);
    const prepared = await prepare();
    await expect(askAs({ ...parallel, ...change() }, prepared)).rejects.toThrow(reason);
    expect((await askAs(parallel, prepared)).paymasterData).toBe(prepared.paymasterData);
  });

  test.each([
    [
      'calls that are not whitelisted',
      async (found: Opened) => ({ callData: await found.failing() }),
      /not whitelisted/,
    ],
    ['a gas price beyond the cap', async () => ({ maxFeePerGas: 10n ** 15n }), /maxFeePerGas/],
    ['a limit beyond what is needed', async () => ({ callGasLimit: 900_000n }), /callGasLimit/],
    ['code behind an authorization that is not known', async () => ({ authorization: unknownCode }), /./],
  ])('is not signed for %s, whatever a stub has promised before', async (_, change, reason) => {
    const opened = await open(parallel);
    const prepared = await opened.prepare();
    const changed = { ...prepared, ...(await change(opened)) } as typeof prepared;
    await expect(opened.askSignature(changed)).rejects.toThrow(reason);
  });

  test('the same request again has the same signature', async () => {
    const { prepare, askSignature } = await open(parallel);
    const prepared = await prepare();
    expect(await askSignature(prepared)).toEqual(await askSignature(prepared));
  });
});

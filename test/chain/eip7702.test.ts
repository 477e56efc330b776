import { sponsorUserOperation as sponsorByZeroDev } from '@zerodev/sdk/actions';
import { to7702SimpleSmartAccount } from 'permissionless/accounts';
import { sponsorUserOperation as sponsorByPermissionless } from 'permissionless/actions/pimlico';
import {
  type Address,
  createClient,
  encodeAbiParameters,
  getAbiItem,
  type Hex,
  hexToBytes,
  http,
  parseUnits,
  size,
} from 'viem';
import {
  createBundlerClient,
  createPaymasterClient,
  entryPoint08Abi,
  formatUserOperationRequest,
  type SmartAccount,
  toPackedUserOperation,
  type UserOperation,
  type UserOperationReceipt,
} from 'viem/account-abstraction';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import type { SponsorContext } from '../../clients/sdk/sponsor/sponsorship-context.ts';
import { delegateOf, eip7702Marker } from '../../core/evm/entry-point/eip7702.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  approveCall,
  depositOf,
  incrementsOf,
  mint,
  targetCall,
  tokenBalance,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import {
  type DelegatingAccount,
  delegatingAccount,
  markedOperation,
  type SignedDelegationOf,
  signDelegation,
} from '../support/chain/eip7702-lab.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { type ClientLab, chainClient, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
let delegate: Address;

beforeAll(async () => {
  lab = await openClientLab({ handle: 'grpc' });
  delegate = lab.devnet.simple7702Account;
}, 60_000);
afterAll(() => lab.close());

const increment = () => targetCall(lab.devnet, 'increment');
const rpcUrl = () => lab.paymaster('0.8').rpcUrl;

async function delegateOnChain(account: Address): Promise<Address | undefined> {
  return delegateOf(await lab.devnet.client.getCode({ address: account }));
}

/** The operation's one call arrives; the sender pays nothing, the paymaster's deposit exactly what the operation cost. */
async function expectSponsored(sender: Address, land: () => Promise<UserOperationReceipt>): Promise<void> {
  const { address } = lab.paymaster('0.8');
  const read = async () => ({
    deposit: await depositOf(lab.devnet, '0.8', address),
    increments: await incrementsOf(lab.devnet, sender),
  });
  const before = await read();
  const receipt = await land();
  const after = await read();
  expect(receipt.success).toBe(true);
  expect(before.deposit - after.deposit).toBe(receipt.actualGasCost);
  expect(after.increments - before.increments).toBe(1n);
  expect(await lab.devnet.client.getBalance({ address: sender })).toBe(0n);
}

function openBundlerClient<account extends SmartAccount>(account: account, paymaster: 'viem' | 'sdk' = 'viem') {
  const retryCount = 0;
  return createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount }),
    paymaster:
      paymaster === 'viem'
        ? createPaymasterClient({ transport: http(rpcUrl(), { retryCount }) })
        : createPaymaster(createSponsorClient({ url: rpcUrl() })),
    pollingInterval: 20,
  });
}

/** Sends with viem's client as an application does: the sender authorizes its delegate when it has none yet. */
async function send(account: SmartAccount, owner: PrivateKeyAccount, calls: readonly DevCall[], by?: 'viem' | 'sdk') {
  const client = openBundlerClient(account, by);
  const isDelegated = (await delegateOnChain(owner.address)) !== undefined;
  const authorization = isDelegated ? undefined : await signDelegation(lab.devnet, owner, delegate);
  const hash = await client.sendUserOperation({ calls, ...(authorization === undefined ? {} : { authorization }) });
  return client.waitForUserOperationReceipt({ hash });
}

describe('ERC-7677 with clients of EIP-7702 accounts', () => {
  test.each(['viem', 'sdk'] as const)(
    'an address without code delegates and lands, and then goes on with its delegation in place (paymaster of %s)',
    async (by) => {
      const owner = privateKeyToAccount(freshKey());
      const account = await delegatingAccount(lab.devnet, delegate, owner);
      await expectSponsored(account.address, () => send(account, owner, [increment()], by));
      expect(await delegateOnChain(owner.address)).toBe(delegate);
      await expectSponsored(account.address, () => send(account, owner, [increment()], by));
    },
  );

  test('a placeholder for the authorization will do until the operation is sent', async () => {
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(lab.devnet, delegate, owner);
    const client = openBundlerClient(account);
    await expectSponsored(account.address, async () => {
      const prepared = await client.prepareUserOperation({ calls: [increment()] });
      const authorization = await signDelegation(lab.devnet, owner, delegate);
      const signature = await account.signUserOperation({ ...prepared, authorization });
      const hash = await client.request({
        method: 'eth_sendUserOperation',
        params: [formatUserOperationRequest({ ...prepared, signature, authorization }), account.entryPoint.address],
      });
      return client.waitForUserOperationReceipt({ hash });
    });
  });

  test('the account of permissionless, which sends an authorization and no marker, lands', async () => {
    const owner = privateKeyToAccount(freshKey());
    const account = await to7702SimpleSmartAccount({
      client: chainClient(lab.devnet),
      owner,
      accountLogicAddress: delegate,
    });
    await expectSponsored(owner.address, () => send(account, owner, [increment()]));
    await expectSponsored(owner.address, () => send(account, owner, [increment()]));
  });

  test('calls to what is not whitelisted, at the stub already', async () => {
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(lab.devnet, delegate, owner);
    const refused = await send(account, owner, [targetCall(lab.devnet, 'fail')]).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32013, message: expect.stringContaining('is not whitelisted') });
  });
});

/**
 * What alto asks for as `preVerificationGas`, by its published constants: the transaction, its own overhead, 25,000 for an
 * authorization that is sent, and the packed operation's bytes with all limits at their largest.
 */
function preVerificationGasOfAlto(operation: UserOperation<'0.8'>): bigint {
  const [most128, most256] = [2n ** 128n - 1n, 2n ** 256n - 1n];
  const full = (data: Hex) => `0x${'ff'.repeat(size(data))}` as const;
  const packed = toPackedUserOperation({
    ...operation,
    callGasLimit: most128,
    verificationGasLimit: most128,
    preVerificationGas: most256,
    maxFeePerGas: most128,
    maxPriorityFeePerGas: most128,
    paymasterVerificationGasLimit: most128,
    paymasterPostOpGasLimit: most128,
    paymasterData: full(operation.paymasterData ?? '0x'),
    signature: full(operation.signature),
  });
  const { inputs } = getAbiItem({ abi: entryPoint08Abi, name: 'getUserOpHash' });
  const tokens = hexToBytes(encodeAbiParameters(inputs, [packed])).reduce((sum, byte) => sum + (byte === 0 ? 1 : 4), 0);
  const words = BigInt(Math.ceil(size(operation.callData) / 32));
  return 21_000n + 9_830n + 7_260n + 25_000n + (words * 9_200n) / 1_000n + 4n * BigInt(tokens);
}

describe('an account that delegates already', () => {
  const copyDelegate = async () => {
    const bytecode = await lab.devnet.client.getCode({ address: delegate });
    const address = privateKeyToAccount(freshKey()).address;
    await lab.devnet.client.setCode({ address, bytecode: bytecode ?? '0x' });
    return address;
  };

  test.each(['the same delegate', 'another delegate'])(
    'authorizes %s with what alto asks for, and the bundler is paid for it',
    async (which) => {
      const owner = privateKeyToAccount(freshKey());
      const account = await to7702SimpleSmartAccount({
        client: chainClient(lab.devnet),
        owner,
        accountLogicAddress: delegate,
      });
      await expectSponsored(owner.address, () => send(account, owner, [increment()]));
      const next = which === 'the same delegate' ? delegate : await copyDelegate();
      const client = openBundlerClient(account);
      const ask = { calls: [increment()], authorization: await signDelegation(lab.devnet, owner, next) };
      const prepared = await client.prepareUserOperation(ask);
      const preVerificationGas = preVerificationGasOfAlto(prepared as UserOperation<'0.8'>);
      await expectSponsored(owner.address, async () => {
        const hash = await client.sendUserOperation({ ...ask, nonce: prepared.nonce, preVerificationGas });
        return client.waitForUserOperationReceipt({ hash });
      });
      expect(await delegateOnChain(owner.address)).toBe(next);
    },
  );
});

type Sponsored = Pick<UserOperation<'0.8'>, 'callGasLimit' | 'preVerificationGas' | 'verificationGasLimit'>;
type Marked = Awaited<ReturnType<typeof markedOperation>>;
const sponsored = {
  mode: 'SPONSORED',
  sponsorshipInfo: { webhookData: {}, smartAccountInfo: { name: 'SIMPLE_7702', version: '1.0.0' } },
} as const;

/** Has limits and paymaster data made by `pm_sponsorUserOperation`, signs, and lands the operation. */
async function sponsorAndLand(
  account: DelegatingAccount,
  operation: Marked,
  context: SponsorContext,
  delegation: SignedDelegationOf | undefined,
) {
  const authorized = delegation === undefined ? operation : { ...operation, authorization: delegation };
  const signed = await createSponsorClient({ url: rpcUrl() }).sponsorUserOperation(authorized, context);
  const { mode: _, paymasterAndData: __, validUntil: ___, decisionId: ____, ...fields } = signed;
  const complete = { ...operation, ...fields };
  // viem hashes with the delegate of the authorization, also when the chain has it already.
  const named = delegation ?? { address: delegate };
  const signature = await account.signUserOperation({
    ...complete,
    authorization: named as SignedDelegationOf, // only its address is looked at
  });
  const sent = formatUserOperationRequest({
    ...complete,
    signature,
    ...(delegation === undefined ? {} : { authorization: delegation }),
  });
  const client = openBundlerClient(account);
  const entryPoint = lab.devnet.entryPoints['0.8'];
  const hash = await client.request({ method: 'eth_sendUserOperation', params: [sent, entryPoint] });
  return client.waitForUserOperationReceipt({ hash });
}

describe('pm_sponsorUserOperation', () => {
  test('estimates for a sender that has no code yet, batches included', async () => {
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(lab.devnet, delegate, owner);
    const operation = await markedOperation(lab.devnet, account, [increment(), increment()]);
    const delegation = await signDelegation(lab.devnet, owner, delegate);
    const receipt = await sponsorAndLand(account, operation, sponsored, delegation);
    expect(receipt.success).toBe(true);
    expect(await incrementsOf(lab.devnet, owner.address)).toBe(2n);
  });

  test.each([
    ["permissionless'", 'pm_sponsorUserOperation'],
    ["ZeroDev's", 'zd_sponsorUserOperation'],
  ] as const)('takes an authorization under the name of %s client', async (_, method) => {
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(lab.devnet, delegate, owner);
    const operation = await markedOperation(lab.devnet, account, [increment()]);
    const authorization = await signDelegation(lab.devnet, owner, delegate);
    const client = createClient({ chain: lab.devnet.client.chain, transport: http(rpcUrl(), { retryCount: 0 }) });
    const entryPointAddress = lab.devnet.entryPoints['0.8'];
    const userOperation = { ...operation, authorization };
    const answered: unknown =
      method === 'zd_sponsorUserOperation'
        ? await sponsorByZeroDev(client as never, {
            userOperation: { ...userOperation, chainId: lab.devnet.chainId, entryPointAddress } as never,
          })
        : await sponsorByPermissionless(client as never, {
            userOperation: userOperation as never,
            entryPoint: { address: entryPointAddress, version: '0.8' } as never,
          });
    const complete = { ...userOperation, ...(answered as Sponsored) };
    const signature = await account.signUserOperation(complete);
    await expectSponsored(owner.address, async () => {
      const sent = formatUserOperationRequest({ ...complete, signature });
      const bundler = openBundlerClient(account);
      const hash = await bundler.request({ method: 'eth_sendUserOperation', params: [sent, entryPointAddress] });
      return bundler.waitForUserOperationReceipt({ hash });
    });
  });

  test('takes an authorization for every chain', async () => {
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(lab.devnet, delegate, owner);
    const operation = await markedOperation(lab.devnet, account, [increment()]);
    const delegation = await signDelegation(lab.devnet, owner, delegate, { chainId: 0 });
    await expectSponsored(owner.address, () => sponsorAndLand(account, operation, sponsored, delegation));
  });

  test('reads the delegate from the chain for a marker without an authorization, init data included', async () => {
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(lab.devnet, delegate, owner);
    await send(account, owner, [increment()]);
    const operation = await markedOperation(lab.devnet, account, [increment()]);
    await expectSponsored(owner.address, () =>
      sponsorAndLand(
        account,
        { ...operation, factory: eip7702Marker, factoryData: '0x12345678' },
        sponsored,
        undefined,
      ),
    );
  });

  test('settles the tank at what the chain charged', async () => {
    const { address, fundingWallet } = lab.paymaster('0.8');
    const { database } = lab.service.config;
    const settled = () => readTank(database, address, fundingWallet).settled;
    await vi.waitFor(() => expect(readTank(database, address, fundingWallet).held).toBe(0n), { timeout: 20_000 });
    const before = settled();
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(lab.devnet, delegate, owner);
    const operation = await markedOperation(lab.devnet, account, [increment()]);
    const delegation = await signDelegation(lab.devnet, owner, delegate);
    const receipt = await sponsorAndLand(account, operation, sponsored, delegation);
    await vi.waitFor(() => expect(settled() - before).toBe(receipt.actualGasCost), { timeout: 20_000 });
  });

  test('token mode: the user pays the quote in tokens at most, the deposit falls by the cost', async () => {
    const { devnet } = lab;
    const { address: contract } = lab.paymaster('0.8');
    const token = tokenWith(devnet, 6);
    const owner = privateKeyToAccount(freshKey());
    const account = await delegatingAccount(devnet, delegate, owner);
    const funds = parseUnits('1000', token.decimals);
    await mint(devnet, token, owner.address, funds);
    const calls = [approveCall(token, contract, funds), increment()];
    const operation = await markedOperation(devnet, account, calls);
    const delegation = await signDelegation(devnet, owner, delegate);
    const authorized = { ...operation, authorization: delegation };
    const tokenInfo = { preferredToken: token.address };
    const asked = await createSponsorClient({ url: rpcUrl() }).getFeeQuoteOrData(authorized, {
      mode: 'ERC20',
      tokenInfo,
    });
    const [quote] = asked.feeQuotes;
    const depositBefore = await depositOf(devnet, '0.8', contract);
    const tokenRecipientBefore = await tokenBalance(devnet, token, devnet.tokenRecipient);
    const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: token.address } } as const;
    const receipt = await sponsorAndLand(account, operation, context, delegation);
    expect(receipt.success).toBe(true);
    const paid = funds - (await tokenBalance(devnet, token, owner.address));
    expect(paid).toBeGreaterThan(0n);
    expect(paid).toBeLessThanOrEqual(parseUnits(String(quote?.maxGasFee), token.decimals));
    expect((await tokenBalance(devnet, token, devnet.tokenRecipient)) - tokenRecipientBefore).toBe(paid);
    expect(depositBefore - (await depositOf(devnet, '0.8', contract))).toBe(receipt.actualGasCost);
    expect(await devnet.client.getBalance({ address: owner.address })).toBe(0n);
  });
});

import { join } from 'node:path';
import { type Address, concat, encodeFunctionData, getAddress, type Hex, http, parseAbi } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { SponsorshipRefusedError } from '../../clients/sdk/errors/errors.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { type MatrixAccount, matrixAccounts, type OpenedAccount } from '../support/accounts/matrix-accounts.ts';
import { bundler, mint, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { type ClientLab, chainClient, openClientLab } from '../support/service/client-lab.ts';

const sources = ['Vault', 'CautiousToken'] as const;
type Deployed = Readonly<Record<(typeof sources)[number], Address>>;

const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function assume(address owner, address spender, uint256 amount)',
]);
const vaultAbi = parseAbi(['function shut()', 'error Closed()']);
const spender = getAddress(`0x${'5e'.repeat(20)}`);
const stranger = getAddress(`0x${'be'.repeat(20)}`);

let lab: ClientLab;
let deployed: Deployed;

async function deploy(name: (typeof sources)[number]): Promise<Address> {
  const { client } = lab.devnet;
  const data = compileSolidity(join(import.meta.dirname, `contracts/${name}.sol`)).get(name)?.creationBytecode;
  const hash = await client.sendTransaction({ account: bundler, chain: client.chain, data });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error(`${name} was not deployed.`);
  return getAddress(contractAddress);
}

/** Any call of any account, with names for the vault's method and error alone. */
async function openPaymaster(version: EntryPointVersion): Promise<void> {
  const { apiKey } = lab.paymaster(version);
  const management = lab.service.managementOf(lab.authToken);
  await management.setPolicy({ apiKey, policy: { accounts: 'ANY', sponsorAllCalls: true } });
  const contract = { name: 'vault', address: deployed.Vault, abi: vaultAbi, whitelistedMethods: ['shut'] };
  await management.registerSmartContract({ apiKey, ...contract });
}

beforeAll(async () => {
  lab = await openClientLab();
  deployed = { Vault: await deploy('Vault'), CautiousToken: await deploy('CautiousToken') };
  await Promise.all(entryPointVersions.map(openPaymaster));
});
afterAll(() => lab.close());

const shut = (): DevCall => ({ to: deployed.Vault, data: encodeFunctionData({ abi: vaultAbi, functionName: 'shut' }) });
const approve = (amount: bigint): DevCall => ({
  to: deployed.CautiousToken,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spender, amount] }),
});

/** Lets the account's allowance be `amount` already. */
async function assumeAllowance(owner: Address, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'assume', args: [owner, spender, amount] });
  const call = { description: 'an allowance', to: deployed.CautiousToken, data, gas: 100_000n };
  await sendInOrder(lab.devnet.client, bundler, [call]);
}

const sponsorshipInfo = { webhookData: {}, smartAccountInfo: { name: 'SAFE', version: '1.4.1' } };

type Call = DevCall & { readonly value?: bigint };
type Asked = { readonly version: EntryPointVersion; readonly opened: OpenedAccount; readonly context?: object };

async function askFor({ version, opened: { account, authorize }, context }: Asked, calls: readonly Call[]) {
  const client = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
  });
  const prepared = await client.prepareUserOperation({
    calls: [...calls],
    parameters: ['factory', 'fees', 'nonce'],
    ...(authorize === undefined ? {} : { authorization: await authorize() }),
  });
  const sponsor = createSponsorClient({ url: lab.paymaster(version).rpcUrl });
  const asked = { ...prepared, signature: await account.getStubSignature() };
  return sponsor.sponsorUserOperation(asked as never, { mode: 'SPONSORED', sponsorshipInfo, ...context } as never);
}

async function refusalOf(asked: Asked, calls: readonly Call[]): Promise<SponsorshipRefusedError> {
  const answered = await askFor(asked, calls).catch((error: unknown) => error);
  if (!(answered instanceof SponsorshipRefusedError)) throw new Error(`Not refused: ${String(answered)}`);
  expect(answered).toMatchObject({ code: -32016, reason: 'ESTIMATION_FAILED', field: 'callData' });
  return answered;
}

const batching = [
  'SimpleAccount',
  'Simple7702Account (EIP-7702)',
  'Biconomy SmartAccount 2',
  'Safe 1.4.1',
  'Safe7579 1',
  'Kernel 3.1',
  'MetaMask (EIP-7702)',
];
const inEveryRun = ['Simple7702Account (EIP-7702)', 'Biconomy SmartAccount 2', 'Safe 1.4.1', 'Kernel 3.1'];
const rows = matrixAccounts.filter(({ kind }) => (isLongRun ? batching : inEveryRun).includes(kind));

describe.each(rows)('a batch of $kind on EntryPoint $version', ({ kind, version, open }: MatrixAccount) => {
  const increment = () => targetCall(lab.devnet, 'increment');
  const inTokens = async ({ account }: OpenedAccount) => {
    const token = tokenWith(lab.devnet, 6);
    await mint(lab.devnet, token, account.address, 1_000n * 10n ** 6n);
    return { mode: 'ERC20', tokenInfo: { feeTokenAddress: token.address } };
  };

  test.each(['SPONSORED', 'ERC20'])('names the call that fails, its method and its error (%s)', async (mode) => {
    const opened = await open(lab.devnet);
    const context = mode === 'ERC20' ? await inTokens(opened) : {};
    const refusal = await refusalOf({ version, opened, context }, [increment(), shut(), increment()]);
    expect(refusal.message).toBe(`The operation's call reverts with Closed(): calls[1], shut() of ${deployed.Vault}.`);
    expect(refusal.details).toMatchObject({
      callIndex: '1',
      target: deployed.Vault,
      method: 'shut()',
      revert: 'Closed()',
    });
  });

  test.each(['SPONSORED', 'ERC20'])('says that it sends more coin than the account has (%s)', async (mode) => {
    const opened = await open(lab.devnet);
    const context = mode === 'ERC20' ? await inTokens(opened) : {};
    await lab.devnet.client.setBalance({ address: opened.account.address, value: 7n });
    const pay = (value: bigint): Call => ({ to: stranger, value, data: '0x' as Hex });
    // SimpleAccount sends no coin in batches on EntryPoint 0.6.
    const isOne = kind === 'SimpleAccount' && version === '0.6';
    const calls = isOne ? [pay(8n)] : [pay(5n), increment(), pay(3n)];
    const refusal = await refusalOf({ version, opened, context }, calls);
    const sentence = isOne ? 'It sends 8 wei, and the account has 7.' : 'It sends 3 wei, and the account has 2.';
    expect(refusal.message).toContain(`${isOne ? '' : 'calls[2], '}the transfer to ${stranger}. ${sentence}`);
    expect(refusal.details).toMatchObject({ callIndex: isOne ? '0' : '2', target: stranger, cause: 'lacks-coin' });
  });

  test('says that a token takes no approval over an allowance, and how to approve', async () => {
    const opened = await open(lab.devnet);
    await assumeAllowance(opened.account.address, 9n);
    const refusal = await refusalOf({ version, opened }, [increment(), approve(5n)]);
    expect(refusal.message).toContain(`calls[1], method 0x095ea7b3 of ${deployed.CautiousToken}.`);
    expect(refusal.message).toContain('replace an allowance of 9 base units. Approve 0 first, in the same batch.');
    expect(refusal.details).toMatchObject({ callIndex: '1', cause: 'allowance-not-zero' });
    expect(await askFor({ version, opened }, [approve(0n), approve(5n)])).toMatchObject({ mode: 'SPONSORED' });
  });
});

test('a single call has no index in the sentence', async () => {
  const [row] = rows;
  if (row === undefined) throw new Error('There is no account.');
  const opened = await row.open(lab.devnet);
  const refusal = await refusalOf({ version: row.version, opened }, [shut()]);
  expect(refusal.message).toBe(`The operation's call reverts with Closed(): shut() of ${deployed.Vault}.`);
});

test('an explanation of a request names the call too', async () => {
  const [row] = rows;
  if (row === undefined) throw new Error('There is no account.');
  const { account } = await row.open(lab.devnet);
  const { factory, factoryData } = await account.getFactoryArgs();
  const userOperation = {
    sender: account.address,
    nonce: '0x0',
    initCode: concat([factory ?? '0x', factoryData ?? '0x']),
    callData: await account.encodeCalls([targetCall(lab.devnet, 'increment'), shut()]),
    signature: await account.getStubSignature(),
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
  };
  const explained = await lab.service.managementOf(lab.authToken).explainSponsorship({
    apiKey: lab.paymaster(row.version).apiKey,
    params: [userOperation, { mode: 'SPONSORED', sponsorshipInfo }],
  } as never);
  expect(explained).toMatchObject({ outcome: 'refused', message: expect.stringContaining('calls[1], shut() of') });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainnetPrices } from '../../core/domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { entryPoint07Abi } from '../../core/evm/entry-point/entry-point-abi.ts';
import { userOperationHash } from '../../core/evm/entry-point/entry-points.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import type { TokenPermit, TokenTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { packageFile } from '../support/packages/pack.ts';
import {
  type DeployedPaymaster,
  type PaymasterLab,
  startPaymasterLab,
} from '../support/paymaster-contracts/paymaster-lab.ts';
import { deployPermitToken, permitTokenAbi, signPermit } from '../support/paymaster-contracts/permit-token.ts';
import { bundler, land, mintTo, setDeposit, tryBundle } from '../support/paymaster-contracts/send-sponsored.ts';
import { deployTollfree } from '../support/paymaster-contracts/tollfree-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

const accountAbi = parseAbi([
  'constructor(address entryPoint)',
  'function execute(address target, uint256 value, bytes data)',
]);
const farAway = 4_000_000_000n;

let lab: PaymasterLab;
let token: Address;
beforeAll(async () => {
  lab = await startPaymasterLab();
  token = await deployPermitToken(lab.devnet);
  const { client, tokenRecipient, fundedKeys } = lab.devnet;
  const tokenRecipientAccount = privateKeyToAccount(fundedKeys.at(-1) ?? '0x');
  expect(tokenRecipientAccount.address).toBe(tokenRecipient);
  for (const version of ['0.8', '0.9'] as const) {
    const paymaster = await deployTollfree(lab, `tollfree-${version}`);
    await setDeposit(lab, paymaster, parseEther('5'));
    const abi = parseAbi(['function approve(address spender, uint256 value) returns (bool)']);
    const args = [paymaster.contract.address, maxUint256] as const;
    const call = {
      account: tokenRecipientAccount,
      chain: client.chain,
      address: token,
      abi,
      functionName: 'approve',
      args,
    } as const;
    await client.waitForTransactionReceipt({ hash: await client.writeContract(call) });
    paymasters.set(version, paymaster);
    accounts.set(version, await deployAccount(version));
  }
  await mintTo(lab, token, tokenRecipient);
});
afterAll(() => lab.close());

type Version = '0.8' | '0.9';
const paymasters = new Map<Version, DeployedPaymaster>();
const accounts = new Map<Version, Address>();

/** The published account for EOAs that delegate. */
async function deployAccount(version: Version): Promise<Address> {
  const { client, entryPoints } = lab.devnet;
  const file = packageFile(`@account-abstraction/contracts-${version}`, 'artifacts/Simple7702Account.json');
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex };
  const data =
    version === '0.8' ? bytecode : encodeDeployData({ abi: accountAbi, bytecode, args: [entryPoints['0.9']] });
  const hash = await client.sendTransaction({ account: bundler(lab), chain: client.chain, data });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return contractAddress ?? zeroAddress;
}

/** An EOA that delegates and owns tokens, has approved nothing, and its next operation, which calls nothing. */
async function open(version: Version) {
  const paymaster = paymasters.get(version);
  const account = accounts.get(version);
  if (paymaster === undefined || account === undefined) throw new Error('There is no contract.');
  const { client, tokenRecipient } = lab.devnet;
  const owner = privateKeyToAccount(freshKey());
  await client.setCode({ address: owner.address, bytecode: delegationCode(account) });
  await mintTo(lab, token, owner.address);
  const args = [tokenRecipient, 0n, '0x'] as const;
  const operation: UserOperationWithGas = {
    entryPointVersion: version,
    sender: owner.address,
    nonce: 0n,
    initCode: '0x',
    callData: encodeFunctionData({ abi: accountAbi, functionName: 'execute', args }),
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    signature: '0x',
    gas: { callGasLimit: 50_000n, verificationGasLimit: 60_000n, preVerificationGas: 60_000n, ...limits(paymaster) },
  };
  const spender = paymaster.contract.address;
  const signedTerms: TokenTerms = {
    mode: 'ERC20',
    validUntil: Number(farAway),
    validAfter: 1_000,
    token,
    tokenRecipient,
    exchangeRate: 10n ** 18n,
    prices: mainnetPrices,
  };
  const permit = (wish: Partial<TokenPermit & { nonce: bigint; spender: Address }> = {}) =>
    signPermit(lab.devnet, owner, { token, spender, value: 10n ** 24n, deadline: farAway, ...wish });
  return { owner, paymaster, operation, signedTerms, permit };
}
type Opened = Awaited<ReturnType<typeof open>>;

function limits({ family }: DeployedPaymaster) {
  const permit = { value: 1n, deadline: 1n, signature: `0x${'11'.repeat(65)}` } as const;
  return family.paymasterGasLimits('ERC20', gasSchedules.osaka, { callData: '0x', initCode: '0x' }, permit);
}

/** The transaction with the operation, signed by paymaster and owner. */
async function bundleOf({ owner, paymaster, operation }: Opened, signedTerms: TokenTerms): Promise<Hex> {
  const { contract, family } = paymaster;
  const { unsigned, digest } = family.prepare(contract, operation, signedTerms);
  const paymasterAndData = family.assemble(unsigned, await lab.signer.signMessage({ message: { raw: digest } }));
  const { entryPoint, chainId } = contract;
  const hash = userOperationHash({ operation, paymasterAndData, entryPoint, chainId });
  const signature = await (owner as PrivateKeyAccount).sign({ hash });
  const args = [[packUserOperation({ ...operation, signature }, paymasterAndData)], lab.devnet.tokenRecipient] as const;
  return encodeFunctionData({ abi: entryPoint07Abi, functionName: 'handleOps', args });
}

function allowanceOf({ owner, paymaster }: Opened): Promise<bigint> {
  const args = [owner.address, paymaster.contract.address] as const;
  return lab.devnet.client.readContract({ address: token, abi: permitTokenAbi, functionName: 'allowance', args });
}

/** Someone else gives the permit to the token first. */
async function useFirst({ owner, paymaster }: Opened, { value, deadline, signature }: TokenPermit): Promise<void> {
  const { client } = lab.devnet;
  const [r, s, v] = [
    `0x${signature.slice(2, 66)}`,
    `0x${signature.slice(66, 130)}`,
    Number(`0x${signature.slice(130)}`),
  ];
  const args = [owner.address, paymaster.contract.address, value, deadline, v, r as Hex, s as Hex] as const;
  const call = { account: bundler(lab), chain: client.chain, address: token, abi: permitTokenAbi, args } as const;
  const hash = await client.writeContract({ ...call, functionName: 'permit' });
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success');
}

describe.each(['0.8', '0.9'] as const)('a permit at EntryPoint %s', (version) => {
  test('pays for the first operation of an owner who has approved nothing, before the call and after it', async () => {
    for (const takesAdvance of [true, false]) {
      const opened = await open(version);
      const { paymaster, operation, signedTerms, permit } = opened;
      await expect(tryBundle(lab, operation, await bundleOf(opened, advanced(opened, signedTerms)))).rejects.toThrow();
      const permitted = { ...signedTerms, permit: await permit() };
      const signed = takesAdvance ? advanced(opened, permitted) : permitted;
      const landed = await land(lab, operation, await bundleOf(opened, signed), token);
      expect(landed.success).toBe(true);
      expect(landed.charged).toBeGreaterThanOrEqual(landed.actualGasCost);
      expect(landed.charged).toBeLessThanOrEqual(paymaster.family.maximumTokenCharge(operation, signedTerms));
      expect(await allowanceOf(opened)).toBeLessThan(10n ** 24n);
    }
  });

  test('that another transaction has used before does not fail the operation', async () => {
    const opened = await open(version);
    const permit = await opened.permit();
    await useFirst(opened, permit);
    const bundle = await bundleOf(opened, advanced(opened, { ...opened.signedTerms, permit }));
    expect((await land(lab, opened.operation, bundle, token)).success).toBe(true);
  });

  test('that is spent, of another owner, for another spender, too late or too small pays nothing in advance', async () => {
    const opened = await open(version);
    const other = await open(version);
    const { operation, permit } = opened;
    for (const [name, bad] of [
      ['spent', await permit({ nonce: 7n })],
      ['of another owner', await other.permit()],
      ['for another spender', await permit({ spender: lab.devnet.tokenRecipient })],
      ['too late', await permit({ deadline: 1n })],
      ['too small', await permit({ value: 1n })],
    ] as const) {
      const bundle = await bundleOf(opened, advanced(opened, { ...opened.signedTerms, permit: bad }));
      await expect(tryBundle(lab, operation, bundle), name).rejects.toThrow(/AA33|41413333/);
    }
  });

  test('whose nonce its owner uses for a smaller one is not paid with: nothing lands in advance, and after the call it lands unpaid', async () => {
    const opened = await open(version);
    const signedTerms = { ...opened.signedTerms, permit: await opened.permit() };
    const [before, after] = [
      await bundleOf(opened, advanced(opened, signedTerms)),
      await bundleOf(opened, signedTerms),
    ];
    await useFirst(opened, await opened.permit({ value: 1n }));
    await expect(tryBundle(lab, opened.operation, before)).rejects.toThrow(/AA33|41413333/);
    expect(await land(lab, opened.operation, after, token)).toMatchObject({ success: false, charged: 0n });
  });

  test('that the code of the sender judges pays, with a signature of any length that this code takes', async () => {
    const opened = await open(version);
    const compiled = compileSolidity(join(import.meta.dirname, 'contracts/LongSigner.sol')).get('LongSigner');
    if (compiled === undefined) throw new Error('There is no account.');
    await lab.devnet.client.setCode({ address: opened.owner.address, bytecode: compiled.runtimeBytecode });
    const signedWith = async (bytes: number) => {
      const permit: TokenPermit = { value: 10n ** 24n, deadline: farAway, signature: `0x${'5a'.repeat(bytes)}` };
      return bundleOf(opened, advanced(opened, { ...opened.signedTerms, permit }));
    };
    await expect(tryBundle(lab, opened.operation, await signedWith(96))).rejects.toThrow(/AA33|41413333/);
    expect((await land(lab, opened.operation, await signedWith(97), token)).success).toBe(true);
  });

  test('has gas of its own in the validation limit, which suffices for a first nonce, allowance and transfer', async () => {
    const opened = await open(version);
    const tokenRecipient = privateKeyToAccount(freshKey()).address;
    const signedTerms = { ...opened.signedTerms, tokenRecipient, permit: await opened.permit() };
    const bundle = (gas: UserOperationWithGas['gas']) => {
      const limited = { ...opened, operation: { ...opened.operation, gas } };
      return bundleOf(limited, advanced(limited, signedTerms));
    };
    const { gas } = opened.operation;
    await tryBundle(lab, opened.operation, await bundle(gas));
    const without = opened.paymaster.family.paymasterGasLimits('ERC20', gasSchedules.osaka, {
      callData: '0x',
      initCode: '0x',
    });
    const short = await bundle({ ...gas, ...without });
    await expect(tryBundle(lab, opened.operation, short)).rejects.toThrow(/AA3[36]|4141333[36]/);
  });

  test('is bound by the digest, byte for byte, and the service computes what the contract does', async () => {
    const { paymaster, operation, signedTerms, permit } = await open(version);
    const { contract, family } = paymaster;
    const given = { ...signedTerms, permit: await permit() };
    const { unsigned, digest } = family.prepare(contract, operation, given);
    const hashOf = (data: Hex) =>
      lab.devnet.client.readContract({
        address: contract.address,
        abi: parseAbi([
          'function getHash((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp) view returns (bytes32)',
        ]),
        functionName: 'getHash',
        args: [packUserOperation(operation, family.assemble(data, `0x${'00'.repeat(65)}`))],
      });
    expect(await hashOf(unsigned)).toBe(digest);
    const bytes = (unsigned.length - 2) / 2;
    for (const at of [141, 172, 173, 204, 207, 240, bytes - 1]) {
      const turned = unsigned.slice(2 + 2 * at, 4 + 2 * at) === '00' ? '01' : '00';
      const changed = `${unsigned.slice(0, 2 + 2 * at)}${turned}${unsigned.slice(4 + 2 * at)}` as Hex;
      expect(await hashOf(changed), String(at)).not.toBe(digest);
    }
  });
});

/** The terms with the most that they can take before the call. */
function advanced({ paymaster, operation }: Opened, signedTerms: TokenTerms): TokenTerms {
  const inAdvance = paymaster.family.mostInAdvance?.(operation, signedTerms);
  if (inAdvance === undefined) throw new Error('Nothing is taken in advance.');
  return { ...signedTerms, inAdvance };
}

import { join } from 'node:path';
import {
  type Abi,
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseEther,
  size,
  slice,
  toFunctionSelector,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { tollfree09 } from '../../core/evm/paymaster-contracts/tollfree/tollfree-versions.ts';
import { tollfreePaymasterAbi } from '../../server/paymaster-contract/tollfree-paymaster.generated.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { depositOf } from '../support/chain/chain-lab.ts';
import type { DeployedPaymaster } from '../support/paymaster-contracts/paymaster-lab.ts';
import {
  approveAll,
  land,
  newAccountOperation,
  setDeposit,
  signForBundle,
  tryBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import {
  type SingletonLab,
  singleton,
  startSingletonLab,
  termsOf,
} from '../support/paymaster-contracts/singleton-lab.ts';

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const blockNumber = 2 ** 47;
const hash: Hex = `0x${'77'.repeat(32)}`;

let lab: SingletonLab;
let paymaster: DeployedPaymaster;
let operation: UserOperationWithGas;
beforeAll(async () => {
  lab = await startSingletonLab();
  paymaster = singleton(lab, '0.9');
  await setDeposit(lab, paymaster, parseEther('5'));
  const call = { target: lab.devnet.tokenRecipient, data: '0x', salt: 90n } as const;
  operation = await newAccountOperation(lab, paymaster, { mode: 'SPONSORED', ...call });
});
afterAll(() => lab.close());

const sponsored: SignedTerms = termsOf('SPONSORED', `0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`);
const trailing: SignedTerms = { ...sponsored, signatureTrails: true };

type Parts = {
  readonly of?: UserOperationWithGas;
  readonly contract?: DeployedPaymaster['contract'];
  readonly key?: Hex;
};

/** The data with the signature of the contract's signer, or of another key. */
async function signedData(
  signedTerms: SignedTerms,
  { of = operation, contract = paymaster.contract, key }: Parts = {},
): Promise<Hex> {
  const { unsigned, digest } = tollfree09.prepare(contract, of, signedTerms);
  const signer = key === undefined ? lab.signer : privateKeyToAccount(key);
  return tollfree09.assemble(unsigned, await signer.signMessage({ message: { raw: digest } }));
}

/** What the contract answers to its EntryPoint: a signature of one of its signers, and the window. Throws where it reverts. */
async function validate(paymasterAndData: Hex, of = operation, from: Address = paymaster.contract.entryPoint) {
  const functionName = 'validatePaymasterUserOp';
  const args = [packUserOperation(of, paymasterAndData), hash, 10n ** 18n] as const;
  const data = encodeFunctionData({ abi: tollfreePaymasterAbi, functionName, args });
  const answer = await lab.devnet.client.call({ account: from, to: paymaster.contract.address, data });
  const [, word] = decodeFunctionResult({ abi: tollfreePaymasterAbi, functionName, data: answer.data ?? '0x' });
  return { accepted: BigInt.asUintN(160, word) === 0n, window: word >> 160n };
}

/** How a node names an error of the contract. */
function errorOf(signature: string): string {
  return `custom error ${toFunctionSelector(signature)}`;
}

describe('a signature', () => {
  test('is accepted in both forms, and of no form made of the other', async () => {
    const [inside, behind] = [await signedData(sponsored), await signedData(trailing)];
    expect((await validate(inside)).accepted).toBe(true);
    expect((await validate(behind)).accepted).toBe(true);
    const trailer = slice(behind, size(behind) - 10);
    const turned = (data: Hex, kind: Hex): Hex => concatHex([slice(data, 0, 52), kind, slice(data, 53)]);
    expect((await validate(turned(concatHex([inside, trailer]), '0x04'))).accepted).toBe(false);
    expect((await validate(turned(slice(behind, 0, size(behind) - 10), '0x00'))).accepted).toBe(false);
  });

  test.each([
    ['another chain', { chainId: 1 }],
    ['another contract', { address: '0x1111111111111111111111111111111111111111' }],
    ['another EntryPoint', { entryPoint: '0x1111111111111111111111111111111111111111' }],
  ] as const)('for %s is not accepted', async (_, change) => {
    const contract = { ...paymaster.contract, ...change };
    const { digest } = tollfree09.prepare(contract, operation, sponsored);
    const { unsigned } = tollfree09.prepare(paymaster.contract, operation, sponsored);
    const signature = await lab.signer.signMessage({ message: { raw: digest } });
    expect((await validate(tollfree09.assemble(unsigned, signature))).accepted).toBe(false);
  });

  test('is worth nothing as its twin, with another v, or of no one', async () => {
    const data = await signedData(sponsored);
    const [head, r, s, v] = [slice(data, 0, 65), slice(data, 65, 97), slice(data, 97, 129), slice(data, 129)];
    const twin = numberToHex(order - BigInt(s), { size: 32 });
    expect((await validate(concatHex([head, r, twin, v === '0x1b' ? '0x1c' : '0x1b']))).accepted).toBe(false);
    expect((await validate(concatHex([head, r, s, numberToHex(Number(v) - 27, { size: 1 })]))).accepted).toBe(false);
    expect((await validate(concatHex([head, `0x${'00'.repeat(65)}`]))).accepted).toBe(false);
    expect((await validate(concatHex([head, r, s, v]))).accepted).toBe(true);
  });

  test('binds the contract that an EIP-7702 sender delegates to, which the marker does not name', async () => {
    const one: Address = `0x${'a1'.repeat(20)}`;
    const other: Address = `0x${'a2'.repeat(20)}`;
    const sender: Address = `0x${'5e'.repeat(20)}`;
    const of = { ...operation, sender, initCode: '0x7702', eip7702Delegate: one } as const;
    const data = await signedData(sponsored, { of });
    await lab.devnet.client.setCode({ address: sender, bytecode: delegationCode(one) });
    expect((await validate(data, of)).accepted).toBe(true);
    await lab.devnet.client.setCode({ address: sender, bytecode: delegationCode(other) });
    expect((await validate(data, of)).accepted).toBe(false);
  });

  test('of a signer ends with the signer, and others are not touched', async () => {
    const key: Hex = `0x${'6b'.repeat(32)}`;
    const second = privateKeyToAccount(key).address;
    const data = await signedData(sponsored, { key });
    expect((await validate(data)).accepted).toBe(false);
    await asOwner('addSigner', second);
    expect((await validate(data)).accepted).toBe(true);
    await asOwner('removeSigner', second);
    expect((await validate(data)).accepted).toBe(false);
    expect((await validate(await signedData(sponsored))).accepted).toBe(true);
  });
});

/** Calls the contract as its owner, who is its signer here. */
async function asOwner(functionName: 'addSigner' | 'removeSigner' | 'transferOwnership', who: Address): Promise<void>;
async function asOwner(functionName: 'acceptOwnership'): Promise<void>;
async function asOwner(functionName: string, ...args: readonly Address[]): Promise<void> {
  const { client } = lab.devnet;
  const call = {
    account: lab.signer,
    chain: client.chain,
    address: paymaster.contract.address,
    abi: tollfreePaymasterAbi as Abi,
  };
  await client.setBalance({ address: lab.signer.address, value: parseEther('1') });
  await client.waitForTransactionReceipt({
    hash: await client.writeContract({ ...call, functionName, args }),
  });
}

describe('data', () => {
  test('that is longer, shorter, or says another length or mark is not read', async () => {
    const behind = await signedData(trailing);
    const inside = await signedData(sponsored);
    const body = slice(behind, 0, size(behind) - 10);
    const mark = slice(behind, size(behind) - 8);
    for (const data of [
      concatHex([inside, '0x00']),
      slice(inside, 0, size(inside) - 1),
      concatHex([body, '0x0042', mark]),
      concatHex([body, '0x0000', mark]),
      concatHex([body, '0x0041', '0x22e325a297439657']),
      concatHex([slice(inside, 0, 52), '0x08', slice(inside, 53)]),
      slice(inside, 0, 52),
    ]) {
      await expect(validate(data), data).rejects.toThrow(errorOf('TermsNotUnderstood()'));
    }
  });

  test('is good for times or for blocks, never for both, and never for ever', async () => {
    const window = async (validUntil: number, validAfter: number) =>
      (await validate(await signedData({ ...sponsored, validUntil, validAfter }))).window;
    expect(await window(blockNumber + 90, blockNumber + 5)).toBe(
      (BigInt(blockNumber + 5) << 48n) | BigInt(blockNumber + 90),
    );
    for (const [until, after] of [
      [0, 5],
      [blockNumber + 90, 5],
      [90, blockNumber + 5],
      [blockNumber, blockNumber],
    ] as const) {
      await expect(window(until, after)).rejects.toThrow(errorOf('WindowNotUnderstood(uint48,uint48)'));
    }
  });

  test('for blocks is taken in these blocks alone', async () => {
    const { client, tokens } = lab.devnet;
    const call = { mode: 'SPONSORED', target: lab.devnet.tokenRecipient, data: '0x', salt: 95n } as const;
    const of = await newAccountOperation(lab, paymaster, call);
    const here = Number(await client.getBlockNumber());
    const signFor = (first: number, last: number) =>
      signForBundle(lab, paymaster, of, {
        ...sponsored,
        validAfter: blockNumber + first - 1,
        validUntil: blockNumber + last,
      });
    for (const [first, last] of [
      [here + 1_000, here + 2_000],
      [2, here - 1],
    ] as const)
      await expect(tryBundle(lab, of, await signFor(first, last))).rejects.toThrow(/AA37|41413337/);
    const bundle = await signFor(here, here + 100);
    expect((await land(lab, of, bundle, tokens[0]?.address ?? '0x')).success).toBe(true);
  });

  test.each([
    ['SPONSORED', false],
    ['ERC20', true],
  ] as const)('of mode %s (behind: %s) is good as it was signed, and with no byte changed', async (mode, behind) => {
    const token = lab.devnet.tokens[0]?.address ?? '0x';
    const granted = termsOf(mode, token, lab.devnet.tokenRecipient);
    const signedTerms: SignedTerms = behind ? { ...granted, signatureTrails: true } : granted;
    const data = await signedData(signedTerms);
    expect((await validate(data)).accepted).toBe(true);
    // What stands before belongs to the EntryPoint, which calls the address and hands on the two limits.
    const places = [...Array(size(data)).keys()].slice(20);
    const changed = places.map((at) => {
      const byte = numberToHex(Number(slice(data, at, at + 1)) ^ 1, { size: 1 });
      return concatHex([slice(data, 0, at), byte, ...(at + 1 < size(data) ? [slice(data, at + 1)] : [])]);
    });
    const taken = await Promise.all(
      changed.map((each) =>
        validate(each).then(
          ({ accepted }) => accepted,
          () => false,
        ),
      ),
    );
    expect(places.filter((_, index) => taken[index])).toEqual([]);
  });

  test('is read for the EntryPoint alone', async () => {
    await expect(validate(await signedData(sponsored), operation, lab.devnet.tokenRecipient)).rejects.toThrow(
      errorOf('NotEntryPoint(address)'),
    );
  });

  test('that names bundlers is taken from those alone', async () => {
    const contract = { ...paymaster.contract, allowedBundlers: [lab.devnet.tokenRecipient] };
    await expect(validate(await signedData(sponsored, { contract }))).rejects.toThrow(
      errorOf('BundlerNotAllowed(address)'),
    );
  });
});

describe('a token', () => {
  const source = join(import.meta.dirname, 'contracts/OddToken.sol');
  const manners = ['AnswersNothing', 'AnswersFalse', 'Reverts', 'ComesBack', 'BurnsGas'] as const;

  async function payWith(manner: (typeof manners)[number], salt: bigint) {
    const { client, tokenRecipient } = lab.devnet;
    const compiled = compileSolidity(source).get('OddToken');
    if (compiled === undefined) throw new Error('There is no token.');
    const bundler = privateKeyToAccount(lab.devnet.fundedKeys[1] ?? '0x');
    const deploy = { account: bundler, chain: client.chain, abi: compiled.abi, bytecode: compiled.creationBytecode };
    const made = await client.deployContract({ ...deploy, args: [manners.indexOf(manner)] });
    const { contractAddress: token } = await client.waitForTransactionReceipt({ hash: made });
    if (token == null) throw new Error('The token was not made.');
    const target = { mode: 'ERC20', target: tokenRecipient, data: approveAll(tokenRecipient), salt } as const;
    const of = await newAccountOperation(lab, paymaster, target);
    const minted = { account: bundler, chain: client.chain, abi: compiled.abi, address: token, functionName: 'mint' };
    await client.waitForTransactionReceipt({
      hash: await client.writeContract({ ...minted, args: [of.sender, 10n ** 30n] }),
    });
    const signedTerms = termsOf('ERC20', token, tokenRecipient);
    const bundle = await signForBundle(lab, paymaster, of, signedTerms);
    const deposit = () => depositOf(lab.devnet, '0.9', paymaster.contract.address);
    const before = await deposit();
    const landed = await land(lab, of, bundle, token);
    return { ...landed, depositFell: before - (await deposit()), worstCase: tollfree09.worstCase(of, signedTerms) };
  }

  test.each([
    ['AnswersNothing', 91n],
    ['ComesBack', 92n],
  ] as const)('that %s is taken, once', async (manner, salt) => {
    const landed = await payWith(manner, salt);
    expect(landed.success).toBe(true);
    expect(landed.charged).toBeGreaterThan(0n);
  });

  test.each([
    ['AnswersFalse', 93n],
    ['Reverts', 94n],
    ['BurnsGas', 96n],
  ] as const)(
    'that %s undoes the call that it was to pay for, and costs no more than is held',
    async (manner, salt) => {
      const landed = await payWith(manner, salt);
      expect(landed).toMatchObject({ success: false, charged: 0n });
      expect(landed.depositFell).toBe(landed.actualGasCost);
      expect(landed.depositFell).toBeLessThanOrEqual(landed.worstCase);
    },
  );
});

describe('the contract', () => {
  const stranger = privateKeyToAccount(`0x${'5a'.repeat(32)}`).address;
  const call = (from: Address, functionName: string, args: readonly unknown[] = []) => {
    const data = encodeFunctionData({ abi: tollfreePaymasterAbi as Abi, functionName, args });
    return lab.devnet.client.call({ account: from, to: paymaster.contract.address, data });
  };

  test.each([
    ['addSigner', [stranger]],
    ['removeSigner', [stranger]],
    ['updateBundlerAllowlist', [[stranger], true]],
    ['transferOwnership', [stranger]],
    ['withdrawTo', [stranger, 1n]],
    ['addStake', [1]],
    ['unlockStake', []],
    ['withdrawStake', [stranger]],
  ] as const)('lets only its owner %s', async (functionName, args) => {
    await expect(call(stranger, functionName, args)).rejects.toThrow(errorOf('NotOwner(address)'));
  });

  test('belongs to another owner once that one has taken it', async () => {
    const { client } = lab.devnet;
    const next = privateKeyToAccount(`0x${'7c'.repeat(32)}`);
    await asOwner('transferOwnership', next.address);
    await expect(call(stranger, 'acceptOwnership')).rejects.toThrow(errorOf('NotPendingOwner(address)'));
    await expect(call(next.address, 'addSigner', [stranger])).rejects.toThrow(errorOf('NotOwner(address)'));
    await client.setBalance({ address: next.address, value: parseEther('1') });
    const { address } = paymaster.contract;
    const write = { account: next, chain: client.chain, address, abi: tollfreePaymasterAbi } as const;
    const taken = await client.writeContract({ ...write, functionName: 'acceptOwnership' });
    await client.waitForTransactionReceipt({ hash: taken });
    await expect(call(lab.signer.address, 'addSigner', [stranger])).rejects.toThrow(errorOf('NotOwner(address)'));
    const args = [lab.signer.address] as const;
    const given = await client.writeContract({ ...write, functionName: 'transferOwnership', args });
    await client.waitForTransactionReceipt({ hash: given });
    await asOwner('acceptOwnership');
    await call(lab.signer.address, 'addSigner', [stranger]);
  });

  test('takes no signer without an address, whom every broken signature would be of', async () => {
    await expect(call(lab.signer.address, 'addSigner', [zeroAddress])).rejects.toThrow(errorOf('NoSigner()'));
  });
});

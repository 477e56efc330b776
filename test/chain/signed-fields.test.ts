import { type Address, concat, getCreate2Address, type Hex, numberToHex, parseEther, size, slice } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { create2Deployer, paymasterDeployment } from '../../server/dev/devnet/deployments.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import { stakePaymaster } from '../../server/dev/devnet/stake-paymaster.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  bundler,
  fillTank,
  mint,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const modes = ['SPONSORED', 'ERC20'] as const;
type Mode = (typeof modes)[number];
const kinds = entryPointsOfRun.flatMap((version) => modes.map((mode) => ({ version, mode })));

let service: RunningService;
let devnet: Devnet;
const paymasters = new Map<EntryPointVersion, LabPaymaster>();
/** A second copy of each paymaster contract, with the signer of the first, funded and staked. */
const twins = new Map<EntryPointVersion, Address>();

beforeAll(async () => {
  service = await startService();
  devnet = service.devnet;
  const signer = service.config.chains[0]?.signer;
  if (signer?.kind !== 'raw') throw new Error('The development chain has a raw key.');
  const owner = privateKeyToAddress(signer.privateKey.reveal());
  for (const version of entryPointsOfRun) {
    const wallet = await walletWith(devnet, 0n);
    const paymaster = await openPaymaster(service, version);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('20'));
    paymasters.set(version, paymaster);
    twins.set(version, await deployTwin(version, owner));
  }
});
afterAll(() => service.close());

async function deployTwin(version: EntryPointVersion, owner: Address): Promise<Address> {
  const { creationCode } = await paymasterDeployment(version, owner);
  const salt = numberToHex(1, { size: 32 });
  const twin = getCreate2Address({ from: create2Deployer, salt, bytecode: creationCode });
  await sendInOrder(devnet.client, bundler, [
    { description: 'a twin', to: create2Deployer, data: concat([salt, creationCode]), gas: 10_000_000n },
  ]);
  await stakePaymaster(devnet.client, { entryPoint: devnet.entryPoints[version], paymaster: twin, owner });
  await fillTank(devnet, version, await walletWith(devnet, 0n), parseEther('5'), twin);
  return twin;
}

type Signed = { readonly account: SmartAccount; readonly operation: DevUserOperation };

/** An operation with the service's signature; in token mode it allows the paymaster its tokens and the account has some. */
async function signedOperation(
  version: EntryPointVersion,
  mode: Mode,
  account: SmartAccount,
  nonceKey: bigint,
): Promise<Signed> {
  const paymaster = paymasters.get(version);
  if (paymaster === undefined) throw new Error('There is no paymaster.');
  const token = tokenWith(devnet, 6);
  const approval = approveCall(token, devnet.paymasterContracts[devnetFamilies[version]], parseEther('1'));
  const increment = targetCall(devnet, 'increment');
  const calls = mode === 'ERC20' ? [approval, increment] : [increment];
  const operation = await nextOperation(devnet, account, calls, nonceKey);
  if (mode === 'ERC20') await mint(devnet, token, operation.sender, parseEther('1'));
  const wish = mode === 'ERC20' ? { token: token.address } : {};
  return { account, operation: withAnswer(operation, await sponsor(paymaster.rpcUrl, operation, wish)) };
}

async function deployed(version: EntryPointVersion, account: SmartAccount): Promise<SmartAccount> {
  const { operation } = await signedOperation(version, 'SPONSORED', account, 0n);
  await land(devnet, account, operation);
  return account;
}

/** The EntryPoint would take the first nonce of either key, and writes it for the same gas. */
const signedNonceKey = 3n;
const otherNonceKey = 7n;

type Change = (operation: DevUserOperation) => DevUserOperation;
type Row = readonly [field: string, change: Change];

const operationFields: readonly Row[] = [
  ['nonce', (operation) => ({ ...operation, nonce: otherNonceKey << 64n })],
  ['callData', (operation) => ({ ...operation, callData: turnBit(operation.callData, size(operation.callData) - 1) })],
  ...(
    ['callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const
  ).map((field): Row => [field, (operation) => ({ ...operation, [field]: operation[field] ^ 1n })]),
];

/** Lengths of the fields of paymasterAndData behind the address and, from 0.7 on, the paymaster's two gas limits. */
const dataFields: Readonly<Record<Mode, readonly (readonly [field: string, bytes: number])[]>> = {
  SPONSORED: [
    ['mode', 1],
    ['validUntil', 6],
    ['validAfter', 6],
    ['signature', 65],
  ],
  ERC20: [
    ['mode', 1],
    ['flags', 1],
    ['validUntil', 6],
    ['validAfter', 6],
    ['token', 20],
    ['postOpGas', 16],
    ['exchangeRate', 32],
    ['paymasterValidationGasLimit', 16],
    ['tokenRecipient', 20],
    ['signature', 65],
  ],
};
/** Lengths of the fields of paymasterAndData of Tollfree's own contract, which EntryPoint 0.9 has. */
const tollfreeFields: typeof dataFields = {
  SPONSORED: dataFields.SPONSORED,
  ERC20: [
    ['kind', 1],
    ['validUntil', 6],
    ['validAfter', 6],
    ['token', 20],
    ['rate', 16],
    ['tokenRecipient', 20],
    ['advance', 16],
    ['overhead', 4],
    ['signature', 65],
  ],
};
const packedLimits = [
  ['paymasterVerificationGasLimit', 16],
  ['paymasterPostOpGasLimit', 16],
] as const;

/** The fields of paymasterAndData behind the address. */
function fieldsOf(version: EntryPointVersion, mode: Mode): readonly (readonly [field: string, bytes: number])[] {
  if (version === '0.6') return dataFields[mode];
  if (version === '0.9') return [...packedLimits, ...tollfreeFields[mode]];
  const advance = [
    ['preFund', 16],
    ['constantFee', 16],
  ] as const;
  return [
    ...packedLimits,
    ...dataFields[mode].flatMap((field) =>
      mode === 'ERC20' && field[0] === 'signature' ? [...advance, field] : [field],
    ),
  ];
}

/** Every field of the paymaster data with the lowest bit of its last byte turned; of the signature its first byte's. */
function paymasterFields(version: EntryPointVersion, mode: Mode): readonly Row[] {
  let end = 20;
  return fieldsOf(version, mode).map(([field, bytes]): Row => {
    const start = end;
    end += bytes;
    const byte = field === 'signature' ? start : end - 1;
    return [field, (operation) => ({ ...operation, paymasterAndData: turnBit(operation.paymasterAndData, byte) })];
  });
}

/** `bytes` with the lowest bit of one byte turned. */
function turnBit(bytes: Hex, byte: number): Hex {
  const at = 2 + 2 * byte;
  const turned = Number.parseInt(bytes.slice(at, at + 2), 16) ^ 1;
  return `0x${bytes.slice(2, at)}${turned.toString(16).padStart(2, '0')}${bytes.slice(at + 2)}`;
}

/** The account signs what is sent, so that only the paymaster can object. */
function expectRefused({ account, operation }: Signed): Promise<void> {
  return expect(land(devnet, account, operation)).rejects.toThrow(/AA3[34]/);
}

describe.each(kinds)('EntryPoint $version in mode $mode', ({ version, mode }) => {
  let signed: Signed;
  beforeAll(async () => {
    signed = await signedOperation(version, mode, await deployed(version, newSmartAccount(version)), signedNonceKey);
  });

  test('the table covers the whole of the paymaster data', () => {
    const lengths = fieldsOf(version, mode).map(([, bytes]) => bytes);
    expect(size(signed.operation.paymasterAndData)).toBe(lengths.reduce((sum, bytes) => sum + bytes, 20));
  });

  test.each([...operationFields, ...paymasterFields(version, mode)])('refuses a changed %s', async (_, change) => {
    await expectRefused({ ...signed, operation: change(signed.operation) });
  });

  test('refuses another sender of the same owner', async () => {
    const other = await deployed(version, { ...signed.account, salt: 1n });
    const { sender, nonce } = await nextOperation(devnet, other, [], signedNonceKey);
    expect(nonce).toBe(signed.operation.nonce);
    await expectRefused({ ...signed, operation: { ...signed.operation, sender } });
  });

  test('refuses another initCode that makes the same account', async () => {
    const undeployed = await signedOperation(version, mode, newSmartAccount(version), 0n);
    const initCode = concat([undeployed.operation.initCode, '0x00']);
    await expectRefused({ ...undeployed, operation: { ...undeployed.operation, initCode } });
    expect((await land(devnet, undeployed.account, undeployed.operation)).success).toBe(true);
  });

  test('refuses the signature at another paymaster contract with the same signer', async () => {
    const twin = twins.get(version);
    if (twin === undefined) throw new Error('There is no twin.');
    const paymasterAndData = concat([twin, slice(signed.operation.paymasterAndData, 20)]);
    await expectRefused({ ...signed, operation: { ...signed.operation, paymasterAndData } });
  });

  test('takes the operation as it was signed', async () => {
    const { account, operation } = signed;
    expect((await land(devnet, account, operation)).success).toBe(true);
  });
});

import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  parseEventLogs,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { entryPoint06Abi, entryPoint07Abi } from '../../../core/evm/entry-point/entry-point-abi.ts';
import { userOperationHash } from '../../../core/evm/entry-point/entry-points.ts';
import { packUserOperation } from '../../../core/evm/entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../../../core/evm/entry-point/v0.6.ts';
import type { PaymasterContract, SignedTerms } from '../../../core/evm/paymaster-contracts/family/family.ts';
import { gasSchedules } from '../../../core/gas/gas-schedule.ts';
import { devTokenAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import type { DeployedPaymaster, PaymasterLab } from './paymaster-lab.ts';

const accountAbi = parseAbi([
  'function execute(address dest, uint256 value, bytes func)',
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
]);

/** A new SimpleAccount whose first operation deploys it and makes one call. */
export async function newAccountOperation(
  lab: PaymasterLab,
  { family }: DeployedPaymaster,
  input: { mode: SponsorshipMode; salt: bigint; target: Address; data: Hex },
): Promise<UserOperationWithGas> {
  const { entryPointVersion } = family;
  const factory = lab.devnet.accountFactories[entryPointVersion];
  const args = [lab.signer.address, input.salt] as const;
  const sender = await lab.devnet.client.readContract({
    address: factory,
    abi: accountAbi,
    functionName: 'getAddress',
    args,
  });
  return {
    entryPointVersion,
    sender,
    nonce: 0n,
    initCode: concatHex([factory, encodeFunctionData({ abi: accountAbi, functionName: 'createAccount', args })]),
    callData: encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: [input.target, 0n, input.data] }),
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    signature: '0x',
    gas: {
      callGasLimit: 200_000n,
      verificationGasLimit: 500_000n,
      preVerificationGas: 60_000n,
      ...family.paymasterGasLimits(input.mode, gasSchedules.osaka),
    },
  };
}

/** The transaction a bundler would send, with the paymaster's signature and the account's. */
export async function signForBundle(
  lab: PaymasterLab,
  { contract, family }: DeployedPaymaster,
  unsigned: UserOperationWithGas,
  signedTerms: SignedTerms,
  state?: Hex,
): Promise<Hex> {
  const prepared = family.prepare(contract, unsigned, signedTerms, state);
  const paymasterSignature = await lab.signer.signMessage({ message: { raw: prepared.digest } });
  return bundleFor(lab, contract, unsigned, family.assemble(prepared.unsigned, paymasterSignature));
}

/** The transaction a bundler would send for this `paymasterAndData`, with the account's signature. */
export async function bundleFor(
  lab: PaymasterLab,
  { entryPoint, chainId }: Pick<PaymasterContract, 'entryPoint' | 'chainId'>,
  unsigned: UserOperationWithGas,
  paymasterAndData: Hex,
): Promise<Hex> {
  const version = unsigned.entryPointVersion;
  const hash = userOperationHash({ operation: unsigned, paymasterAndData, entryPoint, chainId });
  // From 0.8 on the hash is typed data already, before that SimpleAccount takes it as a message.
  const signature =
    version === '0.8' || version === '0.9'
      ? await lab.signer.sign({ hash })
      : await lab.signer.signMessage({ message: { raw: hash } });
  const operation = { ...unsigned, signature };
  const functionName = 'handleOps';
  const beneficiary = lab.devnet.tokenRecipient;
  return version === '0.6'
    ? encodeFunctionData({
        abi: entryPoint06Abi,
        functionName,
        args: [[toUserOperation06(operation, paymasterAndData)], beneficiary],
      })
    : encodeFunctionData({
        abi: entryPoint07Abi,
        functionName,
        args: [[packUserOperation(operation, paymasterAndData)], beneficiary],
      });
}

/** Sends the bundles. */
export function bundler(lab: PaymasterLab) {
  return privateKeyToAccount(lab.devnet.fundedKeys[1] ?? '0x');
}

/** Puts the bundle on the chain and reads what it did to the operation, the deposit and the user's tokens. */
export async function land(lab: PaymasterLab, operation: UserOperationWithGas, bundle: Hex, token: Address) {
  const { client, entryPoints } = lab.devnet;
  const entryPoint = entryPoints[operation.entryPointVersion];
  const balance = () =>
    client.readContract({ address: token, abi: devTokenAbi, functionName: 'balanceOf', args: [operation.sender] });
  const before = await balance();
  const hash = await client.sendTransaction({
    account: bundler(lab),
    chain: client.chain,
    to: entryPoint,
    data: bundle,
    gas: 15_000_000n,
  });
  const { logs } = await client.waitForTransactionReceipt({ hash });
  const [event] = parseEventLogs({ abi: entryPoint07Abi, logs, eventName: 'UserOperationEvent' });
  if (event === undefined) throw new Error('the operation did not land');
  const { success, actualGasCost, actualGasUsed } = event.args;
  return { success, actualGasCost, actualGasUsed, charged: before - (await balance()) };
}

/** Runs the bundle without keeping it; rejects with the EntryPoint's reason. */
export async function tryBundle(lab: PaymasterLab, operation: UserOperationWithGas, bundle: Hex): Promise<void> {
  const to = lab.devnet.entryPoints[operation.entryPointVersion];
  await lab.devnet.client.call({ account: bundler(lab), to, data: bundle, gas: 20_000_000n });
}

/** Makes the paymaster's deposit exactly this much. */
export async function setDeposit(
  lab: PaymasterLab,
  { contract: { address, entryPoint } }: DeployedPaymaster,
  value: bigint,
): Promise<void> {
  const { client } = lab.devnet;
  const deposited = await client.readContract({
    address: entryPoint,
    abi: entryPoint07Abi,
    functionName: 'balanceOf',
    args: [address],
  });
  const send = async (account: ReturnType<typeof bundler> | Address, to: Address, data: Hex, wei: bigint) => {
    const hash = await client.sendTransaction({ account, chain: client.chain, to, data, value: wei, gas: 200_000n });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error('the deposit was not changed');
  };
  if (deposited < value) {
    const data = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'depositTo', args: [address] });
    await send(bundler(lab), entryPoint, data, value - deposited);
  } else if (deposited > value) {
    const owner = lab.signer.address;
    await client.setBalance({ address: owner, value: parseEther('1') });
    await client.impersonateAccount({ address: owner });
    const data = encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'withdrawTo',
      args: [owner, deposited - value],
    });
    await send(owner, address, data, 0n);
    await client.stopImpersonatingAccount({ address: owner });
  }
}

/** Gives an address tokens to pay with. */
export async function mintTo(lab: PaymasterLab, token: Address, to: Address): Promise<void> {
  const { client } = lab.devnet;
  const hash = await client.writeContract({
    account: bundler(lab),
    chain: client.chain,
    address: token,
    abi: devTokenAbi,
    functionName: 'mint',
    args: [to, 10n ** 30n],
  });
  await client.waitForTransactionReceipt({ hash });
}

/** Call data that lets a spender take all tokens. */
export function approveAll(spender: Address): Hex {
  return encodeFunctionData({ abi: devTokenAbi, functionName: 'approve', args: [spender, maxUint256] });
}

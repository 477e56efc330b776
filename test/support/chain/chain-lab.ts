import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { devTargetAbi, devTokenAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import { type Devnet, type DevnetToken, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { buildUserOperation, type DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { freshKey } from '../service/running-service.ts';

const depositAbi = parseAbi([
  'function depositTo(address account) payable',
  'function balanceOf(address account) view returns (uint256)',
]);

/** Sends bundles, and whatever else costs coin. No one's funding wallet. */
export const bundler: LocalAccount = privateKeyToAccount(deriveDevKey(0));

/** A SimpleAccount of an EntryPoint version, by its owner; on chain from its first operation on. */
export type SmartAccount = {
  readonly version: EntryPointVersion;
  readonly owner: LocalAccount;
  readonly salt?: bigint;
};

/**
 * Gas limits a client might bring along for a call or two: enough everywhere, and not so far above the need that the
 * service refuses them.
 */
export function plainLimits(account: 'undeployed' | 'deployed') {
  const verificationGasLimit = account === 'undeployed' ? 380_000n : 100_000n;
  return { callGasLimit: 100_000n, verificationGasLimit, preVerificationGas: 60_000n };
}

export function newSmartAccount(version: EntryPointVersion): SmartAccount {
  return { version, owner: privateKeyToAccount(freshKey()) };
}

/** The account's next operation with these calls, unsigned and without a paymaster. */
export function nextOperation(
  devnet: Devnet,
  { version, owner, salt = 0n }: SmartAccount,
  calls: readonly DevCall[],
  nonceKey = 0n,
): Promise<DevUserOperation> {
  return buildUserOperation(devnet, { version, owner: owner.address, salt, nonceKey }, calls);
}

/** A wallet with this many wei that no one else uses. */
export async function walletWith(devnet: Devnet, value: bigint): Promise<LocalAccount> {
  const wallet = privateKeyToAccount(freshKey());
  await devnet.client.setBalance({ address: wallet.address, value });
  return wallet;
}

/**
 * Puts wei into the gas tank that `wallet` has at a paymaster contract (the chain's own one of the version, if no other
 * is named), with the wallet's own transaction.
 */
export async function fillTank(
  devnet: Devnet,
  version: EntryPointVersion,
  wallet: LocalAccount,
  amount: bigint,
  account: Address = devnet.paymasterContracts[devnetFamilies[version]],
): Promise<void> {
  const balance = await devnet.client.getBalance({ address: wallet.address });
  if (balance < amount + parseEther('1')) {
    await devnet.client.setBalance({ address: wallet.address, value: amount + parseEther('1') });
  }
  const data = encodeFunctionData({ abi: depositAbi, functionName: 'depositTo', args: [account] });
  await sendInOrder(devnet.client, wallet, [
    { description: 'a deposit', to: devnet.entryPoints[version], data, value: amount },
  ]);
}

/** What an address has deposited at an EntryPoint, in wei. */
export function depositOf(devnet: Devnet, version: EntryPointVersion, account: Address): Promise<bigint> {
  const address = devnet.entryPoints[version];
  return devnet.client.readContract({ address, abi: depositAbi, functionName: 'balanceOf', args: [account] });
}

export function tokenBalance(devnet: Devnet, token: DevnetToken, owner: Address): Promise<bigint> {
  const { address } = token;
  return devnet.client.readContract({ address, abi: devTokenAbi, functionName: 'balanceOf', args: [owner] });
}

/** How often an account has called `increment` on the target. */
export function incrementsOf(devnet: Devnet, account: Address): Promise<bigint> {
  const { address } = devnet.target;
  return devnet.client.readContract({ address, abi: devTargetAbi, functionName: 'count', args: [account] });
}

export async function mint(devnet: Devnet, token: DevnetToken, to: Address, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [to, amount] });
  await sendInOrder(devnet.client, bundler, [{ description: 'minting', to: token.address, data }]);
}

/** Slot of `DevToken.allowance`. */
const allowanceSlot = 4n;

/** Lets a spender take tokens without an operation of the owner, which may not be deployed yet. */
export async function setAllowance(
  devnet: Devnet,
  token: DevnetToken,
  { owner, spender, amount }: { readonly owner: Address; readonly spender: Address; readonly amount: bigint },
): Promise<void> {
  const words = [{ type: 'address' }, { type: 'uint256' }] as const;
  const ofOwner = BigInt(keccak256(encodeAbiParameters(words, [owner, allowanceSlot])));
  const index = keccak256(encodeAbiParameters(words, [spender, ofOwner]));
  await devnet.client.setStorageAt({ address: token.address, index, value: numberToHex(amount, { size: 32 }) });
}

/** Slot of `DevToken.balanceOf`. */
const balanceSlot = 3n;

/** Makes an account own this much of a token, also where it has to be less than before. */
export async function setTokenBalance(
  devnet: Devnet,
  token: DevnetToken,
  { owner, amount }: { readonly owner: Address; readonly amount: bigint },
): Promise<void> {
  const index = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, balanceSlot]));
  await devnet.client.setStorageAt({ address: token.address, index, value: numberToHex(amount, { size: 32 }) });
}

/** Gives an account plenty of a token and lets a paymaster contract take it. */
export async function fundWithTokens(
  devnet: Devnet,
  token: DevnetToken,
  { owner, spender }: { readonly owner: Address; readonly spender: Address },
): Promise<void> {
  await mint(devnet, token, owner, 10n ** 27n);
  await setAllowance(devnet, token, { owner, spender, amount: maxUint256 });
}

export function approveCall(token: DevnetToken, spender: Address, amount: bigint): DevCall {
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'approve', args: [spender, amount] });
  return { to: token.address, data };
}

/** A call of the target's method of that name, with no arguments. */
export function targetCall(devnet: Devnet, functionName: 'increment' | 'pay' | 'fail'): DevCall {
  return { to: devnet.target.address, data: encodeFunctionData({ abi: devTargetAbi, functionName }) };
}

/** Mines a block whose timestamp is `timestamp`, in Unix seconds. */
export async function mineAt(devnet: Devnet, timestamp: number): Promise<void> {
  await devnet.client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) });
  await devnet.client.mine({ blocks: 1 });
}

/** The one token of the development chain with so many decimals. */
export function tokenWith(devnet: Devnet, decimals: number): DevnetToken {
  const token = devnet.tokens.find((candidate) => candidate.decimals === decimals);
  if (token === undefined) throw new Error(`The chain has no token with ${decimals} decimals.`);
  return token;
}

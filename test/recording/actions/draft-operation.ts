import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  parseGwei,
  zeroAddress,
} from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import type { PrivateKeyAccount } from 'viem/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import type { RawUserOperation } from '../../../core/domain/user-operation.ts';
import { devTokenAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import {
  buildUserOperation,
  type DevCall,
  encodeAccountCalls,
  signUserOperation,
} from '../../../server/dev/user-operation/build-user-operation.ts';
import {
  type DevUserOperation,
  dummySignature,
  toRpcUserOperation,
} from '../../../server/dev/user-operation/dev-user-operation.ts';
import { baseFeePerGas } from '../world/chain-time.ts';
import { accountOf, keyOf } from '../world/keys.ts';
import type { CallName, Drafted } from './action.ts';

/** An operation as it lands, and as a client sends it to the service. */
export type DraftedOperation = { readonly operation: DevUserOperation; readonly sent: RawUserOperation };

const tip = parseGwei('1');

const prices: Readonly<Record<NonNullable<Drafted['price']>, bigint>> = {
  usual: 2n * baseFeePerGas + tip,
  none: 0n,
  raised: 2n * baseFeePerGas + 2n * tip,
  high: 50n * baseFeePerGas,
  'above-ceiling': parseGwei('501'),
};

/** Gas limits that a client might bring along for a call or two. */
function limitsOf(drafted: Drafted, isDeployed: boolean) {
  const plain = {
    callGasLimit: 100_000n,
    verificationGasLimit: isDeployed ? 100_000n : 380_000n,
    preVerificationGas: 60_000n,
  };
  switch (drafted.limits ?? 'plain') {
    case 'none':
      return { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
    case 'huge':
      return { callGasLimit: 9_000_000n, verificationGasLimit: 4_000_000n, preVerificationGas: 900_000n };
    case 'tight':
      return { ...plain, callGasLimit: 20_000n, verificationGasLimit: 20_000n };
    default:
      return plain;
  }
}

export async function draftOperation(devnet: Devnet, drafted: Drafted): Promise<DraftedOperation> {
  const { version, nonceKey = 0, nonceAhead = 0, price = 'usual' } = drafted;
  const owner = accountOf(drafted.owner) as PrivateKeyAccount;
  const calls = drafted.calls.map((name) => callOf(devnet, name, drafted));
  const built =
    drafted.delegation === undefined
      ? await buildUserOperation(devnet, { version, owner: owner.address, nonceKey: BigInt(nonceKey) }, calls)
      : await buildDelegated(devnet, owner.address, calls);
  const priced = { maxFeePerGas: prices[price], maxPriorityFeePerGas: price === 'none' ? 0n : tip };
  const callData = (drafted.callData ?? (drafted.deploysOnly === true ? '0x' : built.callData)) as Hex;
  const nonce = built.nonce + BigInt(nonceAhead);
  const limits = limitsOf(drafted, built.initCode === '0x');
  const plain: DevUserOperation = { ...built, ...limits, ...priced, nonce, callData };
  const operation = drafted.isSigned === true ? await signUserOperation(devnet, plain, owner) : plain;
  const fields = { ...toRpcUserOperation(operation), ...(await delegationOf(devnet, owner, drafted)) };
  const changed = { ...fields, ...drafted.fields };
  const sent = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
  return { operation, sent: sent as RawUserOperation };
}

function callOf(devnet: Devnet, name: CallName, { version, owner }: Drafted): DevCall {
  const { address, abi } = devnet.target;
  const [token] = devnet.tokens;
  const spender = devnet.paymasterContracts[devnetFamilies[version]];
  switch (name) {
    case 'record':
      return { to: address, data: encodeFunctionData({ abi, functionName: name, args: ['0x0123'] }) };
    case 'unknown':
      return { to: accountOf('stranger').address, data: '0x12345678' };
    case 'plain':
      return { to: accountOf('stranger').address, data: '0x' };
    case 'mint': {
      const args = [accountOf(owner).address, 10n ** 18n] as const;
      return {
        to: token?.address ?? zeroAddress,
        data: encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args }),
      };
    }
    case 'approve': {
      const args = [spender, maxUint256] as const;
      return {
        to: token?.address ?? zeroAddress,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
      };
    }
    default:
      return { to: address, data: encodeFunctionData({ abi, functionName: name }) };
  }
}

/** An operation of an owner's own address, with the code of another contract (EIP-7702, EntryPoint 0.8). */
async function buildDelegated(devnet: Devnet, sender: Address, calls: readonly DevCall[]): Promise<DevUserOperation> {
  const nonce = await devnet.client.readContract({
    address: devnet.entryPoints['0.8'],
    abi: entryPoint08Abi,
    functionName: 'getNonce',
    args: [sender, 0n],
  });
  return {
    entryPointVersion: '0.8',
    sender,
    nonce,
    initCode: '0x',
    callData: encodeAccountCalls('0.8', calls),
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    paymasterAndData: '0x',
    signature: dummySignature,
  };
}

/** The marker and the authorization of an operation, in the form of JSON-RPC. */
async function delegationOf(devnet: Devnet, owner: PrivateKeyAccount, { delegation }: Drafted): Promise<object> {
  if (delegation === undefined) return {};
  const marker = { factory: '0x7702', factoryData: '0x' };
  if (delegation === 'marker-only') return marker;
  const nonce = await devnet.client.getTransactionCount({ address: owner.address });
  const signer = delegation === 'wrong-signer' ? privateKeyToAccount(keyOf('stranger')) : owner;
  const signed = await signer.signAuthorization({
    address: delegateOf(devnet, delegation),
    chainId: delegation === 'other-chain' ? 1 : devnet.chainId,
    nonce: delegation === 'other-nonce' ? nonce + 5 : nonce,
  });
  const eip7702Auth = {
    address: signed.address,
    chainId: numberToHex(signed.chainId),
    nonce: numberToHex(signed.nonce),
    r: signed.r,
    s: signed.s,
    yParity: numberToHex(signed.yParity ?? 0),
  };
  return { ...marker, eip7702Auth };
}

function delegateOf(devnet: Devnet, delegation: NonNullable<Drafted['delegation']>): Address {
  if (delegation === 'removed') return zeroAddress;
  return delegation === 'foreign' ? devnet.target.address : devnet.simple7702Account;
}

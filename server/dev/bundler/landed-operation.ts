import { omitAbsent } from '@tollfree/contract/omit-absent';
import { formatLog, type Hex, isAddressEqual, numberToHex, parseEventLogs, type RpcTransactionReceipt } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { entryPointOf } from '../../../core/evm/entry-point/entry-points.ts';
import type { DevBundlerParts, LandedOperation, SentOperation } from './sent-operation.ts';

type Outcome = {
  readonly landed: LandedOperation;
  readonly entryPoint: Hex;
  /** In the node's form, for clients that read hex numbers. */
  readonly receipt: RpcTransactionReceipt;
};

/** Undefined for an operation that did not come through this bundler, or whose transaction a reorg has removed. */
async function findOutcome({ devnet, landed }: DevBundlerParts, hash: unknown): Promise<Outcome | undefined> {
  const found = landed.get(String(hash));
  if (found === undefined) return undefined;
  const { transactionHash: sent } = found;
  const receipt = await devnet.client.request({ method: 'eth_getTransactionReceipt', params: [sent] });
  return receipt === null ? undefined : { landed: found, entryPoint: devnet.entryPoints[found.version], receipt };
}

/** `eth_getUserOperationByHash`; `null` for an operation that is not on the chain through this bundler. */
export async function describeOperation(parts: DevBundlerParts, [hash]: readonly unknown[]): Promise<object | null> {
  const outcome = await findOutcome(parts, hash);
  if (outcome === undefined) return null;
  const { landed, entryPoint, receipt } = outcome;
  const { transactionHash, blockHash, blockNumber } = receipt;
  return {
    userOperation: inRpcForm(landed.operation, landed.version),
    entryPoint,
    transactionHash,
    blockHash,
    blockNumber,
  };
}

/** `pimlico_getUserOperationStatus` as in alto. An operation never waits here. */
export async function describeStatus(parts: DevBundlerParts, [hash]: readonly unknown[]): Promise<object> {
  const outcome = await findOutcome(parts, hash);
  if (outcome === undefined) return { status: 'not_found', transactionHash: null };
  return { status: 'included', transactionHash: outcome.receipt.transactionHash };
}

/** With the fields of the EntryPoint's format, and without those that the operation does not have. */
function inRpcForm(operation: SentOperation, version: EntryPointVersion): object {
  const { sender, callData, signature, eip7702Auth } = operation;
  const common = {
    sender,
    callData,
    signature,
    ...inHex(operation, ['nonce', 'callGasLimit', 'verificationGasLimit', 'preVerificationGas']),
    ...inHex(operation, ['maxFeePerGas', 'maxPriorityFeePerGas']),
    ...omitAbsent({ eip7702Auth: eip7702Auth && authorizationInHex(eip7702Auth) }),
  };
  if (!entryPointOf(version).isPacked) {
    const { initCode = '0x', paymasterAndData } = operation;
    return { ...common, initCode, paymasterAndData };
  }
  const { factory, factoryData, paymaster, paymasterData, paymasterSignature } = operation;
  return {
    ...common,
    ...(factory === undefined ? {} : { factory, factoryData }),
    ...(paymaster === undefined
      ? {}
      : {
          ...inHex(operation, ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit']),
          paymaster,
          paymasterData,
          ...omitAbsent({ paymasterSignature }),
        }),
  };
}

function inHex<From, Name extends keyof From>(from: From, names: readonly Name[]): Record<Name, Hex> {
  return Object.fromEntries(names.map((name) => [name, numberToHex(BigInt(String(from[name])))])) as Record<Name, Hex>;
}

function authorizationInHex(sent: NonNullable<SentOperation['eip7702Auth']>): object {
  const { address, r, s } = sent;
  return {
    ...inHex(sent, ['chainId', 'nonce', 'yParity']),
    address,
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
  };
}

/** `eth_getUserOperationReceipt`; `null` for an operation that is not on the chain through this bundler. */
export async function describeReceipt(parts: DevBundlerParts, [hash]: readonly unknown[]): Promise<object | null> {
  const outcome = await findOutcome(parts, hash);
  if (outcome === undefined) return null;
  const { entryPoint, receipt } = outcome;
  const events = parseEventLogs({
    abi: entryPoint08Abi,
    logs: receipt.logs.map((log) => formatLog(log)),
    eventName: ['BeforeExecution', 'UserOperationEvent'],
  }).filter(({ address }) => isAddressEqual(address, entryPoint));
  const at = events.findIndex(({ eventName, args }) => eventName === 'UserOperationEvent' && args.userOpHash === hash);
  const own = events[at];
  if (own?.eventName !== 'UserOperationEvent') return null;
  const { sender, nonce, paymaster, actualGasCost, actualGasUsed, success } = own.args;
  // The validation of all operations comes before the first event, and each operation ends with its own one.
  const after = events[at - 1]?.logIndex ?? -1;
  const logs = receipt.logs.filter(({ logIndex }) => Number(logIndex) > after && Number(logIndex) <= own.logIndex);
  return {
    userOpHash: hash,
    entryPoint,
    sender,
    nonce: numberToHex(nonce),
    paymaster,
    actualGasCost: numberToHex(actualGasCost),
    actualGasUsed: numberToHex(actualGasUsed),
    success,
    logs,
    receipt,
  };
}

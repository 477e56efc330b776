import { omitAbsent } from '@tollfree/contract/omit-absent';
import { encodeFunctionData } from 'viem';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { eip7702Marker } from '../../../core/evm/entry-point/eip7702.ts';
import { entryPointOf } from '../../../core/evm/entry-point/entry-points.ts';
import { devTargetAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import type { DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import type { RobberAccount } from '../accounts/robber-account.ts';
import type { OpenCell } from '../open-cell.ts';
import type { OperationFields } from '../plan/plan.ts';
import { targetAbi } from '../world.ts';
import { padBytes } from './pad-bytes.ts';

const noGas = {
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  paymasterVerificationGasLimit: 0n,
  paymasterPostOpGasLimit: 0n,
};

function callOf({ cell, world }: Pick<OpenCell, 'cell' | 'world'>, { method, slots, noted }: OperationFields) {
  const to = world.target;
  switch (cell.method) {
    case 'collect': {
      const args = [world.receiver, BigInt(slots)] as const;
      return { to, data: encodeFunctionData({ abi: targetAbi, functionName: 'collect', args }) };
    }
    case 'note': {
      const args = [`0x${'5a'.repeat(noted)}`] as const;
      return { to, data: encodeFunctionData({ abi: targetAbi, functionName: 'note', args }) };
    }
    case 'settle':
      return { to, data: encodeFunctionData({ abi: targetAbi, functionName: 'settle' }) };
    default:
      return { to: world.devnet.target.address, data: encodeFunctionData({ abi: devTargetAbi, functionName: method }) };
  }
}

/** The operation of a plan, without limits and signature, which `makes` its account or not; a nonce key makes each another. */
export async function draftOperation(
  { cell, world }: OpenCell,
  account: RobberAccount,
  fields: OperationFields,
  { nonceKey, makes }: { readonly nonceKey: bigint; readonly makes: boolean },
): Promise<UserOperationWithGas> {
  const { version } = cell.account;
  const { to, data } = callOf({ cell, world }, fields);
  // A batch of the oldest SimpleAccount carries no value.
  const value = version === '0.6' && fields.calls > 1 ? 0n : BigInt(fields.value);
  const call: DevCall = { to, value, data: padBytes(data, fields.callPadding) };
  const calls = Array.from({ length: fields.calls }, () => call);
  const key = account.nonceKey?.(nonceKey) ?? nonceKey;
  const tip = (world.tip * BigInt(fields.tipPercent)) / 100n;
  const delegates = account.authorization !== undefined;
  const made = delegates ? (entryPointOf(version).knowsEip7702Marker ? eip7702Marker : '0x') : account.initCode;
  const initCode = makes && made !== '0x' ? padBytes(made, fields.creationPadding) : '0x';
  return {
    entryPointVersion: version,
    sender: account.sender,
    nonce: (fields.wideNonce ? key + (0xabcdn << 176n) : key) << 64n,
    initCode,
    callData: padBytes(await account.encode(calls), fields.outerPadding),
    maxFeePerGas: (world.baseFee * BigInt(fields.feePercent)) / 100n + tip,
    maxPriorityFeePerGas: tip,
    signature: '0x',
    gas: noGas,
    ...omitAbsent({ eip7702Delegate: account.authorization?.delegate }),
  };
}

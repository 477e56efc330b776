import { encodeFunctionData, type Hex, slice } from 'viem';
import type { UserOperation } from '../../domain/user-operation.ts';
import { isEip7702InitCode } from '../../evm/entry-point/eip7702.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import { senderCreatorAbi } from '../../evm/entry-point/simulation-abi.ts';
import type { SimulatedOperation } from './estimation-context.ts';

const factoryBytes = 20;
/** `IAccountExecute.executeUserOp`: from 0.7 on the EntryPoint calls it with the whole operation. */
const executeUserOpSelector = '0x8dd7712f';

/** Whether the EntryPoint calls the account with the whole operation. */
export function takesWholeOperation({ entryPointVersion, callData }: UserOperation): boolean {
  return entryPointOf(entryPointVersion).isPacked && callData.startsWith(executeUserOpSelector);
}

/** The call with which the EntryPoint has the account created through its SenderCreator; `0x` for none. */
export function encodeCreation({ operation }: SimulatedOperation): Hex {
  const { initCode, sender } = operation;
  if (initCode === '0x') return '0x';
  if (entryPointOf(operation.entryPointVersion).knowsEip7702Marker && isEip7702InitCode(initCode)) {
    if ((initCode.length - 2) / 2 <= factoryBytes) return '0x';
    return encodeFunctionData({
      abi: senderCreatorAbi,
      functionName: 'initEip7702Sender',
      args: [sender, slice(initCode, factoryBytes)],
    });
  }
  return encodeFunctionData({ abi: senderCreatorAbi, functionName: 'createSender', args: [initCode] });
}

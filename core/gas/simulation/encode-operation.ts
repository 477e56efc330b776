import { encodeFunctionData, getAbiItem, type Hex, slice } from 'viem';
import type { UserOperation } from '../../domain/user-operation.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import { isEip7702InitCode, knowsEip7702Marker } from '../../evm/entry-point/eip7702-init-code.ts';
import { packUserOperation } from '../../evm/entry-point/packed-user-operation.ts';
import { senderCreatorAbi, simulation06Abi, simulation07Abi } from '../../evm/entry-point/simulation-abi.ts';
import { toUserOperation06 } from '../../evm/entry-point/user-operation-0.6.ts';
import type { SimulatedOperation } from './estimation-context.ts';

const factoryBytes = 20;
/** `IAccountExecute.executeUserOp`: from 0.7 on the EntryPoint calls it with the whole operation. */
const executeUserOpSelector = '0x8dd7712f';

const encode06 = createAbiEncoder(getAbiItem({ abi: simulation06Abi, name: 'simulateValidation' }).inputs);
const encodePacked = createAbiEncoder(getAbiItem({ abi: simulation07Abi, name: 'simulateValidation' }).inputs);

/** The operation as the functions of its EntryPoint take it, ABI-encoded, without the offset that stands before it there. */
export function encodeOperation(simulated: SimulatedOperation): Hex {
  const { operation, paymasterAndData } = simulated;
  const encoded =
    operation.entryPointVersion === '0.6'
      ? encode06([toUserOperation06(operation, paymasterAndData)])
      : encodePacked([packUserOperation(operation, paymasterAndData)]);
  return `0x${encoded.slice(64)}`;
}

/** Whether the EntryPoint calls the account with the whole operation. */
export function takesWholeOperation({ entryPointVersion, callData }: UserOperation): boolean {
  return entryPointVersion !== '0.6' && callData.startsWith(executeUserOpSelector);
}

/** The call with which the EntryPoint has the account created through its SenderCreator; `0x` for none. */
export function encodeCreation({ operation }: SimulatedOperation): Hex {
  const { initCode, sender } = operation;
  if (initCode === '0x') return '0x';
  if (knowsEip7702Marker(operation.entryPointVersion) && isEip7702InitCode(initCode)) {
    if ((initCode.length - 2) / 2 <= factoryBytes) return '0x';
    return encodeFunctionData({
      abi: senderCreatorAbi,
      functionName: 'initEip7702Sender',
      args: [sender, slice(initCode, factoryBytes)],
    });
  }
  return encodeFunctionData({ abi: senderCreatorAbi, functionName: 'createSender', args: [initCode] });
}

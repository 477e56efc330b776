import { encodeFunctionData, type Hex, slice } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { isEip7702InitCode, knowsEip7702Marker } from '../../evm/entry-point/eip7702-init-code.ts';
import { packUserOperation } from '../../evm/entry-point/packed-user-operation.ts';
import { senderCreatorAbi, simulation06Abi, simulation07Abi } from '../../evm/entry-point/simulation-abi.ts';
import { toUserOperation06 } from '../../evm/entry-point/user-operation-0.6.ts';
import { userOperationHash } from '../../evm/entry-point/user-operation-hash.ts';
import type { SimulatedOperation } from './estimation-context.ts';

const factoryBytes = 20;
/** `IAccountExecute.executeUserOp`: from 0.7 on the EntryPoint calls it with the whole operation. */
const executeUserOpSelector = '0x8dd7712f';

/** Call data for `simulateValidation` or `simulateHandleOp` of the operation's EntryPoint. */
export function encodeSimulation(simulated: SimulatedOperation, what: 'validation' | 'handling'): Hex {
  const { operation, paymasterAndData } = simulated;
  const nothingAfter = ['0x0000000000000000000000000000000000000000', '0x'] as const;
  if (operation.entryPointVersion === '0.6') {
    const op = toUserOperation06(operation, paymasterAndData);
    return what === 'validation'
      ? encodeFunctionData({ abi: simulation06Abi, functionName: 'simulateValidation', args: [op] })
      : encodeFunctionData({ abi: simulation06Abi, functionName: 'simulateHandleOp', args: [op, ...nothingAfter] });
  }
  const op = packUserOperation(operation, paymasterAndData);
  return what === 'validation'
    ? encodeFunctionData({ abi: simulation07Abi, functionName: 'simulateValidation', args: [op] })
    : encodeFunctionData({ abi: simulation07Abi, functionName: 'simulateHandleOp', args: [op, ...nothingAfter] });
}

/** Where the verification gas limit sits in the call data of `simulateValidation`, in bytes, and how far it is shifted. */
export function verificationLimitPlace(version: EntryPointVersion): { offset: bigint; shift: bigint } {
  const selectorAndOffset = 4n + 32n;
  // 0.6 has a word of its own for it, the sixth; later versions the upper half of the fifth (the lower is the call's).
  return version === '0.6'
    ? { offset: selectorAndOffset + 5n * 32n, shift: 0n }
    : { offset: selectorAndOffset + 4n * 32n, shift: 128n };
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

/** The calls that the EntryPoint makes to account and paymaster. `maxCost` in wei. */
export function encodeSteps(
  simulated: SimulatedOperation,
  chainId: number,
  maxCost: bigint,
): { validation: Hex; paymasterValidation: Hex; execution: Hex } {
  const { operation, paymasterAndData } = simulated;
  const hash = userOperationHash({ ...simulated, chainId });
  if (operation.entryPointVersion === '0.6') {
    const op = toUserOperation06(operation, paymasterAndData);
    const abi = simulation06Abi;
    return {
      validation: encodeFunctionData({ abi, functionName: 'validateUserOp', args: [op, hash, 0n] }),
      paymasterValidation: encodeFunctionData({
        abi,
        functionName: 'validatePaymasterUserOp',
        args: [op, hash, maxCost],
      }),
      execution: operation.callData,
    };
  }
  const op = packUserOperation(operation, paymasterAndData);
  const abi = simulation07Abi;
  return {
    validation: encodeFunctionData({ abi, functionName: 'validateUserOp', args: [op, hash, 0n] }),
    paymasterValidation: encodeFunctionData({
      abi,
      functionName: 'validatePaymasterUserOp',
      args: [op, hash, maxCost],
    }),
    execution: operation.callData.startsWith(executeUserOpSelector)
      ? encodeFunctionData({ abi, functionName: 'executeUserOp', args: [op, hash] })
      : operation.callData,
  };
}

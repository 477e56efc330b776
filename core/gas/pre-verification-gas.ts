import { encodeFunctionData, type Hex, hexToBytes, size } from 'viem';
import { entryPoint06Abi, entryPoint07Abi } from '../entry-point/entry-point-abi.ts';
import { packUserOperation } from '../entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../entry-point/user-operation-0.6.ts';
import type { SimulatedOperation } from './estimation-context.ts';

/** Gas of a transaction before its data and execution. The bundle is taken to hold this one operation. */
const transactionGas = 21_000n;
/**
 * What `handleOps` burns for an operation outside all of its limits: loops, the call frame of the execution, events, the
 * payment to the beneficiary. Measured with the published contracts, and above what common bundlers ask for.
 */
const operationOverhead = 22_000n;
/** The same for each 32 bytes of the operation, which is copied in memory on its way. */
const wordOverhead = 12n;
/** Data is priced in tokens (EIP-7623): a zero byte is one, another byte is four. */
const tokensPerNonZeroByte = 4n;
const gasPerToken = 4n;
/** The least that a transaction pays for each token of its data, whatever it executes (EIP-7623). */
const floorGasPerToken = 10n;
/** What the metered gas may fall short of the simulated one when the operation lands. */
const meteringSlack = 3_000n;

/** Shortest signature that is reckoned with, in bytes: an ECDSA signature. */
const leastSignatureBytes = 65;
/** Stand-ins without zero bytes for what is not known yet: the bundler's address and this very number. */
const anyBeneficiary = '0xffffffffffffffffffffffffffffffffffffffff';
const anyPreVerificationGas = 0xffffffn;

/**
 * `preVerificationGas` of an operation: all that the bundler pays and the EntryPoint does not meter. `meteredGas` is what
 * validation and execution burn at least; a data-heavy operation that burns less pays up to the data floor here.
 *
 * Covers execution gas only. On chains that charge a separate data fee for another layer the number has to come from a
 * bundler (`bundlerUrl`).
 */
export function preVerificationGas(simulated: SimulatedOperation, meteredGas: bigint): bigint {
  const data = encodeHandleOps(simulated);
  const tokens = countTokens(data);
  const words = BigInt(Math.ceil(size(data) / 32));
  const standard = transactionGas + operationOverhead + wordOverhead * words + gasPerToken * tokens;
  const floor = transactionGas + floorGasPerToken * tokens + meteringSlack - meteredGas;
  return standard > floor ? standard : floor;
}

/** The bundler's call data, with every byte that is not known yet taken as one that is not zero. */
function encodeHandleOps({ operation, paymasterAndData }: SimulatedOperation): Hex {
  const signatureBytes = Math.max(size(operation.signature), leastSignatureBytes);
  const complete = {
    ...operation,
    gas: { ...operation.gas, preVerificationGas: anyPreVerificationGas },
    signature: `0x${'ff'.repeat(signatureBytes)}`,
  } as const;
  const functionName = 'handleOps';
  if (operation.entryPointVersion === '0.6') {
    const op = toUserOperation06(complete, paymasterAndData);
    return encodeFunctionData({ abi: entryPoint06Abi, functionName, args: [[op], anyBeneficiary] });
  }
  const op = packUserOperation(complete, paymasterAndData);
  return encodeFunctionData({ abi: entryPoint07Abi, functionName, args: [[op], anyBeneficiary] });
}

function countTokens(data: Hex): bigint {
  let zeroBytes = 0;
  for (const byte of hexToBytes(data)) if (byte === 0) zeroBytes += 1;
  return BigInt(zeroBytes) + tokensPerNonZeroByte * BigInt(size(data) - zeroBytes);
}

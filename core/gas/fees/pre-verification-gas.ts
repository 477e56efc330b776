import { type Hex, size } from 'viem';
import { maxBigint } from '../../domain/values/bigint-bounds.ts';
import { encodeForCounting } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';

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
/** What a transaction pays for each EIP-7702 authorization that it carries (`PER_EMPTY_ACCOUNT_COST`); half may come back. */
export const authorizationGas = 25_000n;
/** What the metered gas may fall short of the simulated one when the operation lands. */
const meteringSlack = 3_000n;

/**
 * `preVerificationGas` of an operation: all the gas that the bundler pays and the EntryPoint does not meter. `meteredGas`
 * is what validation and execution burn at least; a data-heavy operation that burns less pays up to the data floor here.
 * What a layer 2 charges for data comes on top (`dataGas`).
 */
export function preVerificationGas(simulated: SimulatedOperation, meteredGas: bigint): bigint {
  const data = encodeForCounting(simulated);
  const tokens = countTokens(data);
  const words = BigInt(Math.ceil(size(data) / 32));
  const authorization = simulated.operation.eip7702Auth === undefined ? 0n : authorizationGas;
  const standard = transactionGas + operationOverhead + authorization + wordOverhead * words + gasPerToken * tokens;
  const floor = transactionGas + floorGasPerToken * tokens + meteringSlack - meteredGas;
  return maxBigint(standard, floor);
}

function countTokens(data: Hex): bigint {
  let zeroBytes = 0;
  for (const byte of Buffer.from(data.slice(2), 'hex')) if (byte === 0) zeroBytes += 1;
  return BigInt(zeroBytes) + tokensPerNonZeroByte * BigInt(size(data) - zeroBytes);
}

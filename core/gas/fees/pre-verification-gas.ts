import { type Hex, size } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { authorizationGas, type GasSchedule } from '../gas-schedule.ts';
import { ecdsaSignatureBytes, encodeForCounting } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';

/** Gas that `handleOps` burns for each 32 bytes of the operation to copy it in memory. */
const wordOverhead = 12n;
/** Gas allowed in addition to the factor: bundlers count in slightly different ways. */
export const preVerificationAllowance = 5_000n;
const basisPoints = 10_000n;
/** How far the metered gas may fall below the simulated gas when the operation lands. */
const meteringSlack = 3_000n;

/**
 * `preVerificationGas` in gas, excluding the data fee of a layer 2: `needed` is for estimates, `most` is the highest that is
 * signed.
 *
 * The EntryPoint pays all of this limit to the bundler, so `most` depends only on what the paymaster's signature covers. It
 * does not cover the account's signature: an operation may land with a shorter one than in the request. A signature longer
 * than ECDSA counts in `needed`, but only up to `most`.
 */
type PreVerificationGas = { readonly needed: bigint; readonly most: bigint };

type CountingOptions = {
  readonly schedule: GasSchedule;
  /**
   * The least gas that validation and execution burn. A data-heavy operation that burns less pays the rest up to the data
   * floor in this limit.
   */
  readonly meteredGas: bigint;
  /**
   * How far a caller's limit may exceed the bound, in basis points of the part that is not data: everyone counts data alike.
   */
  readonly overEstimate: number;
  /** Extra gas that the chain charges and the EntryPoint does not meter, other than data. */
  readonly unmeteredGas?: bigint;
};

export function countPreVerificationGas(simulated: SimulatedOperation, options: CountingOptions): PreVerificationGas {
  const sentBytes = Math.max(size(simulated.operation.signature), ecdsaSignatureBytes);
  const bound = countGas(simulated, ecdsaSignatureBytes, options);
  const room = (bound.withoutData * BigInt(options.overEstimate)) / basisPoints - bound.withoutData;
  const most = bound.total + room + preVerificationAllowance;
  return { needed: minBigint(countGas(simulated, sentBytes, options).total, most), most };
}

/**
 * What the bundler of an operation pays for it in addition to its metered gas, with the signature as it was sent, whatever
 * its length; in gas, without the data fee of a layer 2.
 */
export function countSentGas(simulated: SimulatedOperation, options: Omit<CountingOptions, 'overEstimate'>): bigint {
  return countGas(simulated, Math.max(size(simulated.operation.signature), ecdsaSignatureBytes), options).total;
}

/** All gas that the bundler pays and the EntryPoint does not meter, for an account signature of this length. */
function countGas(
  simulated: SimulatedOperation,
  signatureBytes: number,
  { schedule, meteredGas, unmeteredGas = 0n }: Omit<CountingOptions, 'overEstimate'>,
) {
  const data = encodeForCounting(simulated, signatureBytes);
  const zeros = countZeros(data);
  const others = BigInt(size(data)) - zeros - BigInt(simulated.operation.unpaidBytes ?? 0);
  const words = BigInt(Math.ceil(size(data) / 32));
  const authorization = authorizationGas(schedule, simulated.operation);
  const withoutData = schedule.transaction + schedule.operationOverhead + authorization + unmeteredGas;
  const standard = withoutData + wordOverhead * words + schedule.zeroByte * zeros + schedule.otherByte * others;
  const floorOfData = schedule.floorZeroByte * zeros + schedule.floorOtherByte * others;
  const floor = schedule.transaction + floorOfData + meteringSlack - meteredGas;
  return { withoutData, total: maxBigint(standard, floor) };
}

function countZeros(data: Hex): bigint {
  let zeros = 0;
  for (const byte of Buffer.from(data.slice(2), 'hex')) if (byte === 0) zeros += 1;
  return BigInt(zeros);
}

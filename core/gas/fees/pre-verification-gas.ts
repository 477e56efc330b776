import { type Hex, size } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { authorizationGas, type GasSchedule } from '../schedule/gas-schedule.ts';
import { ecdsaSignatureBytes, encodeForCounting } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';

/** What `handleOps` burns for each 32 bytes of the operation, which is copied in memory on its way. */
const wordOverhead = 12n;
/** Gas that is allowed on top of the factor: bundlers count in slightly different ways. */
export const preVerificationAllowance = 5_000n;
const basisPoints = 10_000n;
/** What the metered gas may fall short of the simulated one when the operation lands. */
const meteringSlack = 3_000n;

/**
 * `preVerificationGas` in gas, without what a layer 2 charges for data: `needed` to estimate with, and the `most` that is
 * signed.
 *
 * The EntryPoint pays all of this limit to the bundler, so `most` follows from what the paymaster's signature binds
 * alone. The account's signature is not bound: an operation may land with a shorter one than it was asked with. A longer
 * signature than an ECDSA one counts in `needed`, up to `most` and no further.
 */
type PreVerificationGas = { readonly needed: bigint; readonly most: bigint };

type CountingOptions = {
  readonly schedule: GasSchedule;
  /**
   * What validation and execution burn at least; a data-heavy operation that burns less pays up to the data floor in this
   * limit.
   */
  readonly meteredGas: bigint;
  /**
   * How far a caller's limit may be above what is bound, in basis points of the part that is not data: everybody counts data
   * alike.
   */
  readonly overEstimate: number;
  /** Gas on top that the chain charges and the EntryPoint does not meter. It is no data. */
  readonly unmeteredGas?: bigint;
};

export function countPreVerificationGas(simulated: SimulatedOperation, options: CountingOptions): PreVerificationGas {
  const sentBytes = Math.max(size(simulated.operation.signature), ecdsaSignatureBytes);
  const bound = countGas(simulated, ecdsaSignatureBytes, options);
  const room = (bound.withoutData * BigInt(options.overEstimate)) / basisPoints - bound.withoutData;
  const most = bound.total + room + preVerificationAllowance;
  return { needed: minBigint(countGas(simulated, sentBytes, options).total, most), most };
}

/** All the gas that the bundler pays and the EntryPoint does not meter, with an account signature of this length. */
function countGas(
  simulated: SimulatedOperation,
  signatureBytes: number,
  { schedule, meteredGas, unmeteredGas = 0n }: CountingOptions,
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

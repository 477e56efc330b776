import { type Hex, size } from 'viem';
import { maxBigint, minBigint } from '../../domain/values/bigint-bounds.ts';
import { ecdsaSignatureBytes, encodeForCounting } from '../simulation/encode-handle-ops.ts';
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
/** Gas that is allowed on top of the factor: bundlers count in slightly different ways. */
export const preVerificationAllowance = 5_000n;
const basisPoints = 10_000n;
/** What the metered gas may fall short of the simulated one when the operation lands. */
const meteringSlack = 3_000n;

/**
 * `preVerificationGas` in gas, without what a layer 2 charges for data: `needed` to estimate with, and the `most` that is
 * signed.
 *
 * The EntryPoint pays all of this limit to whoever bundles, so `most` follows from what the paymaster's signature binds
 * alone. The account's signature is not bound: an operation may land with a shorter one than it was asked with. A longer
 * signature than an ECDSA one counts in `needed`, up to `most` and no further.
 */
export type PreVerificationGas = { readonly needed: bigint; readonly most: bigint };

/**
 * @param meteredGas What validation and execution burn at least; a data-heavy operation that burns less pays up to the data
 * floor in this limit.
 * @param overEstimate How far a caller's limit may be above what is bound, in basis points of the part that is not data:
 * everybody counts data alike.
 */
export function countPreVerificationGas(
  simulated: SimulatedOperation,
  meteredGas: bigint,
  overEstimate: number,
): PreVerificationGas {
  const sentBytes = Math.max(size(simulated.operation.signature), ecdsaSignatureBytes);
  const bound = countGas(simulated, ecdsaSignatureBytes, meteredGas);
  const room = (bound.withoutData * BigInt(overEstimate)) / basisPoints - bound.withoutData;
  const most = bound.total + room + preVerificationAllowance;
  return { needed: minBigint(countGas(simulated, sentBytes, meteredGas).total, most), most };
}

/** All the gas that the bundler pays and the EntryPoint does not meter, with an account signature of this length. */
function countGas(simulated: SimulatedOperation, signatureBytes: number, meteredGas: bigint) {
  const data = encodeForCounting(simulated, signatureBytes);
  const tokens = countTokens(data) - tokensPerNonZeroByte * BigInt(simulated.operation.unpaidBytes ?? 0);
  const words = BigInt(Math.ceil(size(data) / 32));
  const authorization = simulated.operation.paysAuthorization === true ? authorizationGas : 0n;
  const withoutData = transactionGas + operationOverhead + authorization;
  const standard = withoutData + wordOverhead * words + gasPerToken * tokens;
  const floor = transactionGas + floorGasPerToken * tokens + meteringSlack - meteredGas;
  return { withoutData, total: maxBigint(standard, floor) };
}

function countTokens(data: Hex): bigint {
  let zeroBytes = 0;
  for (const byte of Buffer.from(data.slice(2), 'hex')) if (byte === 0) zeroBytes += 1;
  return BigInt(zeroBytes) + tokensPerNonZeroByte * BigInt(size(data) - zeroBytes);
}

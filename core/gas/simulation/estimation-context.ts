import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address, Hex } from 'viem';
import { divideUp } from '../../base/values/integers.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import { mainnetPrices, type UnitPrices } from '../../domain/unit-prices.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../domain/user-operation.ts';
import { dummySignature } from '../../evm/account-codes/known-code.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { GasSchedule } from '../gas-schedule.ts';
import { createFindSimulationCode, type FindSimulationCode } from './simulation-code.ts';

/** The parameters of every simulation. */
export type EstimationContext = {
  readonly client: ChainClient;
  readonly chainId: number;
  /** The bundler whose transaction is simulated, since some paymaster contracts check it. An unnamed bundler when absent. */
  readonly origin?: Address;
  readonly findCode: FindSimulationCode;
};

/** An operation as simulated: with limits, a signature and the paymaster's stub. */
export type SimulatedOperation = {
  readonly operation: UserOperationWithGas;
  readonly entryPoint: Address;
  readonly paymasterAndData: Hex;
};

/** Sets an operation's limits and adds the matching stub. */
export function withLimits(
  request: { operation: UserOperation; entryPoint: Address; stub(operation: UserOperationWithGas): Hex },
  gas: GasLimits,
): SimulatedOperation {
  const operation: UserOperationWithGas = { ...request.operation, gas };
  return { operation, entryPoint: request.entryPoint, paymasterAndData: request.stub(operation) };
}

/** The context of a chain's simulations: in a transaction of the first named bundler, if any. */
export function createEstimationContext(
  client: ChainClient,
  { chainId, allowedBundlers, confirmations }: Pick<ChainConfig, 'chainId' | 'allowedBundlers' | 'confirmations'>,
): EstimationContext {
  const findCode = createFindSimulationCode(client, confirmations);
  return { client, chainId, findCode, ...omitAbsent({ origin: allowedBundlers?.[0] }) };
}

/** The operation with a signature for estimation: the client's own (often a dummy made for its account), or ours. */
export function withEstimationSignature<T extends UserOperation>(operation: T): T {
  return operation.signature === '0x' ? { ...operation, signature: dummySignature } : operation;
}

/** Bounds and margins of our own estimation. Gas unless said otherwise. */

/** Gas of one `eth_call`. Public nodes allow 50 million; below that no node reduces it. */
export const estimationCallGas = 30_000_000n;
/** Gas of an `eth_call` that runs code of other addresses: up to four more frames each keep 1/64 back. */
export const delegatingCallGas = 32_000_000n;

/** Highest verification limit. */
export const verificationCeiling = 8_000_000n;
/**
 * Verification limits tried in turn before an operation counts as failing: 500,000, 2 million and 8 million with mainnet's
 * prices. The lower ones grow with the price of new state, of which creations consist: all attempts share the gas of one call.
 */
export function verificationCeilings({ newSlot }: UnitPrices): readonly bigint[] {
  const lower = [500_000n, 2_000_000n].map((limit) => (limit * newSlot) / mainnetPrices.newSlot);
  return [...lower.filter((limit) => limit < verificationCeiling), verificationCeiling];
}
/** Highest limit tried for the execution. A transaction is limited to 16.7 million (EIP-7825). */
export const executionCeiling = 12_000_000n;
/** Highest limit tried for the paymaster's `postOp`. */
export const postOpCeiling = 1_000_000n;
/**
 * Attempts of one search. It starts at the gas used, grows in increasing steps, then bisects. Searches stop at a tolerance
 * of 0.4 %, nearly always after one or two attempts.
 */
export const searchRounds = 20n;
/** Bytes of an operation that an EntryPoint copies per unit of gas; the start of the search for the verification limit. */
export const copiedBytesPerGas = 10n;

/**
 * Gas added to the call's use when a payment is tried. It is below the other limits of any operation, so that approving the
 * quoted amount suffices.
 */
export const chargedOverhead = 100_000n;

/** Added to a measured limit, in basis points: the state may differ a little when the operation lands. */
export const verificationMarginBasisPoints = 1_000n;
export const callMarginBasisPoints = 1_000n;
export const postOpMarginBasisPoints = 1_000n;

/** Added to a data fee, in basis points: the other layer's data price may rise before the operation lands. */
const dataFeeMarginBasisPoints = 2_500n;

/**
 * Verification limit with which `postOp` of EntryPoint 0.6 can move tokens when that could not be tried: the limit also
 * bounds `postOp`, and at estimation time the account may not own or have approved the tokens yet. One new slot is included,
 * for the token recipient's first tokens, and four changed ones: the sender's balance and allowance, and what the paymaster's and
 * the token's own code write.
 */
export function unmeasuredPostOpGas({ newSlot, changedSlot }: GasSchedule): bigint {
  return newSlot + 4n * changedSlot + 77_900n;
}

/** How often, and by how much, a limit is raised that the final simulation finds too low. */
export const limitRaises = 3;
export const raiseBasisPoints = 2_500n;

const basisPoints = 10_000n;

/** `gas` plus the margin, rounded up. */
export function addMargin(gas: bigint, marginBasisPoints: bigint): bigint {
  return gas + divideUp(gas * marginBasisPoints, basisPoints);
}

/** A data fee, in gas or wei, with its margin. */
export function addDataFeeMargin(fee: bigint): bigint {
  return addMargin(fee, dataFeeMarginBasisPoints);
}

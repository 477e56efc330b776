import { type Hex, numberToHex } from 'viem';
import { maxBigint } from '../base/values/integers.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UnitPrices } from '../domain/unit-prices.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { explainNodeError } from '../node/node-error.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';
import { readUnitPrices, unitPriceOverrides, unitPriceProbeAddress, unitPriceProbeGas } from './unit-price-probe.ts';

/** A chain's prices; `isKnown` if they are those of the fork they are named after. */
type FoundSchedule = { readonly schedule: GasSchedule; readonly isKnown: boolean };

/** How nodes report that code fails. It does on a chain whose contract creation or instructions are its own. */
const failsToRun = /revert|opcode|instruction|out of gas|gas required|create|invalid code|not supported/i;

const foundOf = new WeakMap<ChainClient, FoundSchedule>();

/** The known schedule of a chain; Prague's if it was not read yet. */
export function gasScheduleOf(client: ChainClient): GasSchedule {
  return foundOf.get(client)?.schedule ?? gasSchedules.prague;
}

/**
 * Measures what a chain charges, with a small `eth_call`. The result is kept; a failure keeps the previous one. Prices that
 * cannot be measured are those of the fork that the measured ones match. If the code fails, Prague is assumed, which allows
 * the least. Refuses with `CHAIN_UNAVAILABLE` when the node does not answer.
 */
export async function readGasSchedule(client: ChainClient): Promise<Result<FoundSchedule>> {
  let found: FoundSchedule;
  try {
    const call = { to: unitPriceProbeAddress, gas: numberToHex(unitPriceProbeGas) };
    const answer = await client.request({ method: 'eth_call', params: [call, 'latest', unitPriceOverrides] });
    found = scheduleOf(answer);
  } catch (error) {
    if (!failsToRun.test(readRpcAnswer(error)?.details ?? '')) return refuse(explainNodeError(error));
    found = unmeasured;
  }
  foundOf.set(client, found);
  return accept(found);
}

function scheduleOf(answer: Hex): FoundSchedule {
  const measured = readUnitPrices(answer);
  if (measured === undefined) return unmeasured;
  const { prices, knowsClz } = measured;
  const { glamsterdam, osaka, prague } = gasSchedules;
  const isGlamsterdam = prices.newSlot === glamsterdam.newSlot;
  const fork = isGlamsterdam ? glamsterdam : knowsClz ? osaka : prague;
  const units = atLeast(prices, prague);
  if (unitNames.every((unit) => units[unit] === fork[unit])) return { schedule: fork, isKnown: true };
  // Less gas is correct for a simulation on every fork.
  const { simulationCap } = glamsterdam;
  return { schedule: { ...fork, ...units, simulationCap }, isKnown: false };
}

const unitNames = [
  'newSlot',
  'changedSlot',
  'coldAccount',
  'newAccount',
  'codeByte',
  'valueCall',
] as const satisfies readonly (keyof UnitPrices)[];

/** Prices that are never below `least`: limits that are too low refuse operations, and unused ones cost next to nothing. */
function atLeast(prices: UnitPrices, least: UnitPrices): UnitPrices {
  return {
    newSlot: maxBigint(prices.newSlot, least.newSlot),
    changedSlot: maxBigint(prices.changedSlot, least.changedSlot),
    coldAccount: maxBigint(prices.coldAccount, least.coldAccount),
    newAccount: maxBigint(prices.newAccount, least.newAccount),
    codeByte: maxBigint(prices.codeByte, least.codeByte),
    valueCall: maxBigint(prices.valueCall, least.valueCall),
  };
}

/** The gas prices of a chain that our computations use. Gas unless said otherwise. */
export type GasSchedule = UnitPrices & {
  readonly fork: ForkName;
  /** A transaction that calls a contract without value, before its data and execution. */
  readonly transaction: bigint;
  /** Each byte of its data. */
  readonly zeroByte: bigint;
  readonly otherByte: bigint;
  /** The minimum charge per byte, whatever the transaction executes (EIP-7623). */
  readonly floorZeroByte: bigint;
  readonly floorOtherByte: bigint;
  /** An EIP-7702 authorization: for an existing account, and for a nonexistent one (no balance, nonce or code). */
  readonly authorization: bigint;
  readonly freshAuthorization: bigint;
  /**
   * What `handleOps` burns for an operation outside all of its limits: loops, the call frame of the execution, events, the
   * payment to the beneficiary.
   */
  readonly operationOverhead: bigint;
  /** The most gas to send with a simulation: with more, `GAS` does not show everything. Undefined where it does. */
  readonly simulationCap: bigint | undefined;
};

export type ForkName = 'prague' | 'osaka' | 'glamsterdam';

/** EIP-7825: `TX_MAX_GAS_LIMIT`. */
const transactionCap = 16_777_216n;

const prague: GasSchedule = {
  fork: 'prague',
  transaction: 21_000n,
  zeroByte: 4n,
  otherByte: 16n,
  // EIP-7623: 10 per token; a nonzero byte has four.
  floorZeroByte: 10n,
  floorOtherByte: 40n,
  // EIP-7702: PER_EMPTY_ACCOUNT_COST; half of it is refunded for an existing account, up to a fifth of the transaction.
  authorization: 25_000n,
  freshAuthorization: 25_000n,
  // EIP-2929: COLD_SLOAD_COST and SSTORE_SET_GAS.
  newSlot: 22_100n,
  // EIP-2200 and EIP-2929: SSTORE_RESET_GAS, of which COLD_SLOAD_COST is a part.
  changedSlot: 5_000n,
  // EIP-2929: COLD_ACCOUNT_ACCESS_COST.
  coldAccount: 2_600n,
  // EIP-150: G_newaccount and G_codedeposit of the Yellow Paper; G_callvalue and a warm access.
  newAccount: 25_000n,
  codeByte: 200n,
  valueCall: 9_100n,
  // Measured with the published contracts, and above what common bundlers require.
  operationOverhead: 22_000n,
  simulationCap: undefined,
};

/** EIP-8038, as of August 2026. */
const coldAccountAccess = 3_000n;
const accountWrite = 9_000n;
const storageWrite = 10_000n;
const coldStorageAccess = 2_100n;
const callStipend = 2_300n;
const warmAccess = 100n;
/** EIP-8037: gas per byte of state, and the bytes of created objects. */
const costPerStateByte = 1_530n;
const slotState = 64n * costPerStateByte;
const accountState = 120n * costPerStateByte;
const delegationState = 23n * costPerStateByte;
/** EIP-8037: `EXECUTION_PER_AUTH_BASE_COST`; EIP-2780 charges the rest when the authorization is applied. */
const authorizationBase = 7_816n;

const glamsterdam: GasSchedule = {
  fork: 'glamsterdam',
  // EIP-2780: TX_BASE_COST and the access of the called contract.
  transaction: 12_000n + coldAccountAccess,
  zeroByte: 4n,
  otherByte: 16n,
  // EIP-7976: the same price for every byte.
  floorZeroByte: 64n,
  floorOtherByte: 64n,
  authorization: authorizationBase + accountWrite + delegationState,
  freshAuthorization: authorizationBase + accountWrite + delegationState + accountState,
  newSlot: coldStorageAccess + storageWrite + slotState,
  changedSlot: coldStorageAccess + storageWrite,
  coldAccount: coldAccountAccess,
  newAccount: accountState,
  codeByte: costPerStateByte,
  valueCall: accountWrite + callStipend + warmAccess,
  // The beneficiary's first access (3,000 instead of 2,600) and its write (9,000 instead of 6,700), and a log of the
  // transfer (EIP-7708).
  operationOverhead: 22_000n + 400n + 2_300n + 1_800n,
  // EIP-8037: gas above it goes to a reservoir for state, which `GAS` does not include.
  simulationCap: transactionCap,
};

export const gasSchedules: Readonly<Record<ForkName, GasSchedule>> = {
  prague,
  osaka: { ...prague, fork: 'osaka' },
  glamsterdam,
};

const unmeasured: FoundSchedule = { schedule: prague, isKnown: true };

/** Whether the bundler's transaction may carry an authorization that the operation pays for. */
export function mayCarryAuthorization({ paysAuthorization, repeatsAuthorization }: UserOperation): boolean {
  return paysAuthorization === true || repeatsAuthorization === true;
}

/** What a transaction pays for the authorization of an operation, in gas; 0 where it carries none. */
export function authorizationGas({ authorization, freshAuthorization }: GasSchedule, operation: UserOperation): bigint {
  if (!mayCarryAuthorization(operation)) return 0n;
  return operation.isFreshSender === true ? freshAuthorization : authorization;
}

import { type Hex, hexToBigInt, numberToHex, size, slice } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { explainNodeError } from '../node/node-error.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';

/**
 * Init code that measures a fork's prices and instructions: GAS, SSTORE of 1 to slot 1, GAS; then CREATE of code that runs
 * CLZ (0x1e), which fails where the instruction does not exist. It returns the gas between the first two, and whether CREATE
 * succeeded.
 */
const probe: Hex = ('0x5a60016001555a9003600052' +
  '6360001e00602052' +
  '6004603c6000f01515602052' +
  '60406000f3') as Hex;
/** Gas of the two pushes and the second GAS, which are included in the measurement. */
const measuredBesides = 8n;
/** Ample: a failed creation burns all but a 64th. Below every transaction cap. */
const probeGas = 4_000_000n;

/** A chain's prices; `measuredSlot` is its cost of a new slot if no known fork has that cost. */
type FoundSchedule = { readonly schedule: GasSchedule; readonly measuredSlot?: bigint };

/** How nodes report that code fails. It does on a chain with its own contract creation. */
const failsToRun = /revert|opcode|instruction|out of gas|gas required|create|invalid code|not supported/i;

const foundOf = new WeakMap<ChainClient, FoundSchedule>();

/** The known schedule of a chain; Prague's if it was not read yet. */
export function gasScheduleOf(client: ChainClient): GasSchedule {
  return foundOf.get(client)?.schedule ?? gasSchedules.prague;
}

/**
 * Determines which fork's gas a chain charges, with a small `eth_call` that measures it. The result is kept; a failure keeps
 * the previous one. If the code fails, or the prices match no known fork, Prague is assumed, which allows the least. Refuses
 * with `CHAIN_UNAVAILABLE` when the node does not answer.
 */
export async function readGasSchedule(client: ChainClient): Promise<Result<FoundSchedule>> {
  let found: FoundSchedule;
  try {
    const answer = await client.request({
      method: 'eth_call',
      params: [{ data: probe, gas: numberToHex(probeGas) }, 'latest'],
    });
    found = recognise(answer);
  } catch (error) {
    if (!failsToRun.test(readRpcAnswer(error)?.details ?? '')) return refuse(explainNodeError(error));
    found = { schedule: gasSchedules.prague };
  }
  foundOf.set(client, found);
  return accept(found);
}

function recognise(answer: Hex): FoundSchedule {
  if (size(answer) !== 64) return { schedule: gasSchedules.prague };
  const newSlot = hexToBigInt(slice(answer, 0, 32)) - measuredBesides;
  const knowsClz = hexToBigInt(slice(answer, 32, 64)) === 1n;
  if (newSlot === gasSchedules.glamsterdam.newSlot) return { schedule: gasSchedules.glamsterdam };
  const schedule = knowsClz ? gasSchedules.osaka : gasSchedules.prague;
  if (newSlot === schedule.newSlot) return { schedule };
  // Less gas is correct for a simulation on every fork.
  const { simulationCap } = gasSchedules.glamsterdam;
  return { schedule: { ...schedule, simulationCap }, measuredSlot: newSlot };
}

/** The gas prices of an Ethereum fork that our computations use. Gas unless said otherwise. */
export type GasSchedule = {
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
  /** Writing a slot that was zero, on first access. */
  readonly newSlot: bigint;
  /** A call with value to an account that exists and was touched before. */
  readonly valueCall: bigint;
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

/** Whether the bundler's transaction may carry an authorization that the operation pays for. */
export function mayCarryAuthorization({ paysAuthorization, repeatsAuthorization }: UserOperation): boolean {
  return paysAuthorization === true || repeatsAuthorization === true;
}

/** What a transaction pays for the authorization of an operation, in gas; 0 where it carries none. */
export function authorizationGas({ authorization, freshAuthorization }: GasSchedule, operation: UserOperation): bigint {
  if (!mayCarryAuthorization(operation)) return 0n;
  return operation.isFreshSender === true ? freshAuthorization : authorization;
}

import { type Hex, numberToHex } from 'viem';
import { maxBigint } from '../base/values/integers.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { mainnetPrices, type UnitPrices } from '../domain/unit-prices.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { explainNodeError } from '../node/node-error.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';
import {
  measureAuthorizations,
  measureFloor,
  measureTransaction,
  type TransactionPrices,
} from './transaction-price-probe.ts';
import {
  type MeasuredUnits,
  readUnitPrices,
  unitPriceOverrides,
  unitPriceProbeAddress,
  unitPriceProbeGas,
} from './unit-price-probe.ts';

/** A chain's prices; `isKnown` if they are those of the fork they are named after. */
type FoundSchedule = { readonly schedule: GasSchedule; readonly isKnown: boolean };

/** How nodes report that code fails. It does on a chain whose contract creation or instructions are its own. */
const failsToRun = /revert|opcode|instruction|out of gas|gas required|create|invalid code|not supported/i;

const foundOf = new WeakMap<ChainClient, FoundSchedule>();
/** The answer of the probe for unit prices when everything was measured last. */
const measuredAnswers = new WeakMap<ChainClient, Hex>();

/** The known schedule of a chain; Prague's if it was not read yet. */
export function gasScheduleOf(client: ChainClient): GasSchedule {
  return foundOf.get(client)?.schedule ?? gasSchedules.prague;
}

/**
 * Measures what a chain charges, with up to five `eth_call`s, and with two `eth_estimateGas` where the prices are those of no
 * known fork. The result is kept; a failure keeps the previous one. What cannot be measured is taken from the fork that the
 * rest is nearest to. If code fails, Prague is assumed, which allows the least. Refuses with `CHAIN_UNAVAILABLE` when the node
 * does not answer.
 */
export async function readGasSchedule(client: ChainClient): Promise<Result<FoundSchedule>> {
  let found: FoundSchedule;
  try {
    const answer = await askUnitPrices(client);
    const measured = readUnitPrices(answer);
    found = measured === undefined ? unmeasured : await findSchedule(client, measured);
    measuredAnswers.set(client, answer);
  } catch (error) {
    if (!failsToRun.test(readRpcAnswer(error)?.details ?? '')) return refuse(explainNodeError(error));
    found = unmeasured;
  }
  foundOf.set(client, found);
  return accept(found);
}

/** Whether a chain charges otherwise than when {@link readGasSchedule} measured it, by one `eth_call`. False while the node fails. */
export async function hasNewPrices(client: ChainClient): Promise<boolean> {
  const measured = measuredAnswers.get(client);
  try {
    return measured === undefined || (await askUnitPrices(client)) !== measured;
  } catch {
    return false;
  }
}

function askUnitPrices(client: ChainClient): Promise<Hex> {
  const call = { to: unitPriceProbeAddress, gas: numberToHex(unitPriceProbeGas) };
  return client.request({ method: 'eth_call', params: [call, 'latest', unitPriceOverrides] });
}

async function findSchedule(client: ChainClient, { prices, knowsClz }: MeasuredUnits): Promise<FoundSchedule> {
  const { glamsterdam, osaka, prague } = gasSchedules;
  const units = atLeast(prices, mainnetPrices);
  const nearest = units.newSlot === glamsterdam.newSlot ? glamsterdam : knowsClz ? osaka : prague;
  const ofTransaction = await measureTransaction(client);
  const transaction = ofTransaction?.transaction ?? nearest.transaction;
  const ofAuthorizations = await measureAuthorizations(client, transaction);
  const schedule = { ...nearest, ...units, ...ofTransaction, ...ofAuthorizations };
  if (measuredNames.every((name) => schedule[name] === nearest[name])) return { schedule: nearest, isKnown: true };
  const ofFloor = await measureFloor(client, transaction);
  // Less gas is correct for a simulation on every fork.
  const { simulationCap } = glamsterdam;
  const rest = { operationOverhead: operationOverhead(units), simulationCap };
  return { schedule: { ...schedule, ...ofFloor, ...rest }, isKnown: false };
}

const unitNames = [
  'newSlot',
  'changedSlot',
  'coldAccount',
  'newAccount',
  'codeByte',
  'valueCall',
] as const satisfies readonly (keyof UnitPrices)[];
/** What is measured of every chain. The minimum charge for data is not: only estimates show it, which are not exact. */
const measuredNames = [
  ...unitNames,
  'transaction',
  'zeroByte',
  'otherByte',
  'authorization',
  'freshAuthorization',
] as const satisfies readonly (keyof GasSchedule)[];

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
export type GasSchedule = UnitPrices &
  TransactionPrices & {
    readonly fork: ForkName;
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

/**
 * Gas of `handleOps` for an operation outside all of its limits. With mainnet's prices 22,000: measured with the published
 * contracts, and above what common bundlers require. The payment to the beneficiary is in it, a call with value to an account
 * that the transaction has not touched before.
 */
function operationOverhead({ coldAccount, valueCall }: Pick<UnitPrices, 'coldAccount' | 'valueCall'>): bigint {
  return coldAccount + valueCall + 10_300n;
}

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
  ...mainnetPrices,
  operationOverhead: operationOverhead(mainnetPrices),
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

const glamsterdamValueCall = accountWrite + callStipend + warmAccess;

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
  valueCall: glamsterdamValueCall,
  operationOverhead: operationOverhead({ coldAccount: coldAccountAccess, valueCall: glamsterdamValueCall }),
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

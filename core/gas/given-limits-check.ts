import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Hex } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import { isEip7702InitCode } from '../evm/entry-point/eip7702.ts';
import { isSameAccount, type SeenAccount } from '../node/account-codes/seen-account.ts';
import type { ChainClient } from '../node/chain-client.ts';
import {
  type Bounds,
  boundsOf,
  type Excess,
  findExcess,
  findShortLimits,
  findUnestimatedExcess,
  leastCallUsed,
  type OwnLimits,
  overPreVerificationGas,
  refuseExcess,
  refuseShortCall,
  refuseShortLimit,
  refuseUnestimatedExcess,
} from './compare-limits.ts';
import type { EstimationRequest, GasEstimate, GasEstimator, GivenTrial } from './estimator.ts';
import { revertDetails } from './failures/decode-failure.ts';
import { dataGas, noDataFee } from './fees/data-fee.ts';
import { type ChainFees, createChainFees } from './fees/fee-models.ts';
import { countPreVerificationGas } from './fees/pre-verification-gas.ts';
import { gasScheduleOf } from './gas-schedule.ts';
import {
  type AccountMemory,
  type accountLifetimeMs,
  createAccountMemory,
  createEstimateMemory,
  estimateKey,
  type KnownEstimate,
} from './guard-memory.ts';
import {
  type CheckRequest,
  type CheckResult,
  createOperationCheck,
  type OperationCheck,
} from './simulation/check-operation-runs.ts';
import { withLimits } from './simulation/estimation-context.ts';
import { seeAccount } from './simulation/probe-account.ts';

/** An operation with its sender's limits, and the input of our own estimate for it. */
export type GuardRequest = CheckRequest &
  Pick<EstimationRequest, 'paymasterGas' | 'mayRevert' | 'accountSlots' | 'reads'> & {
    /** The payer and the means of payment: part of the estimate's cache key. */
    readonly payment: string;
    /** Adds gas to an estimate that it cannot include. */
    complete(limits: GasLimits): GasLimits;
    /** Gas of the verification limit that must remain unused when the operation is tried with its stub. */
    readonly unseenVerificationGas?: bigint;
    /**
     * A signature for estimation on which accounts of the sender's kind do not revert; undefined if its code is not known.
     */
    readonly signatureOfKind?: () => Promise<Result<Hex | undefined>>;
    /** The highest limit that clients send for accounts of the sender's kind, in gas, where it is above that of others. */
    readonly mostOfKind?: (excess: Excess) => Promise<Result<bigint>>;
  };

/**
 * Compares limits given by a caller with our own estimate, since the sponsor pays for excessive ones: the EntryPoint keeps
 * all of `preVerificationGas` and, from 0.7 on, a tenth of the unused call gas.
 *
 * Refuses with `LIMIT_EXCEEDED` for a limit too far above the estimate (`field`, `asked` and `max` in `details`), with
 * `ESTIMATION_FAILED` when the operation does not run, at all or with these limits, and with `CHAIN_UNAVAILABLE`.
 *
 * A caller cannot disable these checks with bad data. If the account reverts on the signature in the request, the estimate
 * uses `signatureOfKind`; without one the operation is refused. An operation whose account does not exist yet, or whose
 * nonce is used, cannot be estimated. Its call and verification limits then pass within fixed bounds, so that operations can
 * be prepared in sequence, and `preVerificationGas` within what its bytes need.
 */
export type GivenLimitsCheck = { check(request: GuardRequest): Promise<Result<Guarded>> };

/**
 * Limits that may be signed, and the sender's state when they were checked, if requested. Also the answers to the request's
 * `reads`, if it was simulated for this request.
 */
export type Guarded = {
  readonly account?: SeenAccount;
  readonly answers?: GasEstimate['answers'];
  /** Which part of our own `preVerificationGas` pays for data on a layer 2. */
  readonly dataGas: bigint;
  /** The operation could not be simulated yet. */
  readonly unestimated?: true;
};

/** The parts of one chain's guard. */
type Parts = {
  readonly client: ChainClient;
  readonly config: ChainConfig;
  readonly clock: Clock;
  /** Our own estimator, whether or not a bundler also estimates. */
  readonly estimator: GasEstimator;
};

/**
 * A guard with a short-lived cache of estimates. Further operations of an account with the same call only ask the chain once
 * per {@link accountLifetimeMs} whether the account is unchanged. A cached estimate can only accept an operation; only a
 * fresh one can refuse it. So if validation depends on the nonce key, or the state has changed, that costs time but causes
 * no refusal.
 */
export function createGivenLimitsCheck(parts: Parts): GivenLimitsCheck {
  const memory = createEstimateMemory(parts.clock);
  const accounts = createAccountMemory(parts.clock);
  const operationCheck = createOperationCheck(parts);
  const fees = createChainFees(parts);
  const unestimated = { ...parts, fees };
  const guard: GivenLimitsCheck = {
    async check(request) {
      const key = estimateKey(request);
      const found = memory.find(key);
      if (found !== undefined) {
        const known = await found;
        if (known.ok && isWithin(known.value, request, boundsFor(parts, request))) {
          const same = await seeAgain({ ...parts, accounts }, known.value, request);
          if (same !== undefined) return same;
        }
        if (!known.ok && known.refusal.reason === 'CHAIN_UNAVAILABLE') return known;
        if (!known.ok && cannotLandYet(known.refusal)) return judgeUnestimated(request, unestimated);
      }
      let simulated: Simulated = {};
      const fresh = await memory.remember(key, async () => {
        const askedAt = parts.clock.now();
        const made = await estimateAfresh(parts, request);
        if (!made.ok) return made;
        keepAccount(accounts, made.value.estimate, request, askedAt);
        simulated = made.value.simulated;
        return accept(made.value.estimate);
      });
      if (fresh.ok) return judge(fresh.value, request, { ...parts, operationCheck, ...simulated });
      if (cannotLandYet(fresh.refusal)) return judgeUnestimated(request, unestimated);
      if (!revertsOnSignature(fresh.refusal)) return fresh;
      const { signatureOfKind, ...signed } = request;
      const signature = await signatureOfKind?.();
      if (signature?.ok === false) return signature;
      if (signature?.value === undefined) return fresh;
      return guard.check({ ...signed, operation: { ...request.operation, signature: signature.value } });
    },
  };
  return guard;
}

/** The account does not exist yet (AA20), exists already (AA10), or has used this nonce (AA25). */
function cannotLandYet({ reason, details }: Refusal): boolean {
  return reason === 'ESTIMATION_FAILED' && ['AA10', 'AA20', 'AA25'].includes(details?.aaCode ?? '');
}

/** The account reverts (AA23), or its signature contains an expired time (AA22). The signature may be the only cause. */
function revertsOnSignature({ reason, details }: Refusal): boolean {
  return reason === 'ESTIMATION_FAILED' && ['AA22', 'AA23'].includes(details?.aaCode ?? '');
}

function boundsFor({ client, config }: Pick<Parts, 'client' | 'config'>, { operation }: GuardRequest): Bounds {
  return boundsOf(config, gasScheduleOf(client), operation.entryPointVersion);
}

/** The least gas that validation and execution burn, for any account. */
const leastMeteredGas = 50_000n;

/** Before it can be simulated, only an operation's bytes are known; its other limits only have to be small. */
async function judgeUnestimated(
  request: GuardRequest,
  { client, config, fees }: Pick<Parts, 'client' | 'config'> & { readonly fees: ChainFees },
): Promise<Result<Guarded>> {
  const { operation } = request;
  const simulated = withLimits(request, operation.gas);
  const feeOf = await (fees.dataFee?.ask(simulated) ?? accept(noDataFee));
  if (!feeOf.ok) return feeOf;
  const { most } = countPreVerificationGas(simulated, {
    schedule: gasScheduleOf(client),
    meteredGas: leastMeteredGas,
    overEstimate: overPreVerificationGas(config),
    unmeteredGas: fees.model.extraOverhead ?? 0n,
  });
  const forData = dataGas(feeOf.value(most + leastMeteredGas), operation);
  if (!forData.ok) return forData;
  const excess = findUnestimatedExcess(
    operation.gas,
    most + 2n * forData.value,
    boundsFor({ client, config }, request),
  );
  return excess === undefined ? accept({ dataGas: forData.value, unestimated: true }) : refuseUnestimatedExcess(excess);
}

/**
 * Reads the account again, since an estimate is only valid for the account as it was simulated. Undefined if it has changed.
 */
async function seeAgain(
  { client, accounts }: Pick<Parts, 'client'> & { readonly accounts: AccountMemory },
  { account, dataFee }: KnownEstimate,
  { operation, accountSlots }: GuardRequest,
): Promise<Result<Guarded> | undefined> {
  const forData = dataGas(dataFee, operation);
  if (!forData.ok) return forData;
  const guarded = { dataGas: forData.value };
  if (accountSlots === undefined || account === undefined) return accept(guarded);
  // Before 0.9, the result of a factory's call data cannot change until the account exists, and then the operation fails.
  // 0.9 has slots to compare.
  if (accountSlots.slots.length === 0) return accept({ ...guarded, account });
  const now = await accounts.see(operation, () => seeAccount(client, operation, accountSlots));
  if (!now.ok) return now;
  return isSameAccount(now.value, account) ? accept({ ...guarded, account }) : undefined;
}

/** Caches the state of an on-chain sender that a simulation read. */
function keepAccount(
  accounts: AccountMemory,
  { account }: KnownEstimate,
  { operation, accountSlots }: GuardRequest,
  askedAt: number,
): void {
  if (account === undefined || accountSlots === undefined || accountSlots.slots.length === 0) return;
  const creates = operation.initCode !== '0x' && !isEip7702InitCode(operation.initCode);
  if (creates && account.wasThere !== true) return;
  accounts.keep(operation, accept(account), askedAt);
}

/** What the estimate's simulation returned for this request only: the trial of its limits, and its reads. */
type Simulated = { readonly trial?: GivenTrial; readonly answers?: GasEstimate['answers'] };

/**
 * Estimates with the account's next nonce, so an operation that waits for others is not refused for it. The same simulation
 * tries the given limits. If they suffice and are not too high, the estimate is only the minimum needed.
 */
async function estimateAfresh(
  parts: Parts,
  request: GuardRequest,
): Promise<Result<{ readonly estimate: KnownEstimate; readonly simulated: Simulated }>> {
  const { operation, entryPoint, paymasterGas, stub, complete, mayRevert = false, accountSlots, reads } = request;
  const given = triedLimits(request);
  const estimated = await parts.estimator.estimate({
    operation,
    entryPoint,
    paymasterGas,
    stub,
    callGasAllowance: 0n,
    mayRevert,
    accountSlots,
    nonce: 'next',
    given: { limits: given, leastCallUsed: leastCallUsed(given, boundsFor(parts, request)) },
    ...omitAbsent({ reads }),
  });
  if (!estimated.ok) return estimated;
  const { givenSuffice, dataFee, maxPreVerificationGas, account, nonce, given: trial, answers } = estimated.value;
  const completed = complete(estimated.value.limits);
  const preVerificationGas = completed.preVerificationGas - estimated.value.dataGas;
  const withoutDataFee = { ...completed, preVerificationGas };
  const proven = givenSuffice ? operation.gas : completed;
  const made = { withoutDataFee, maxPreVerificationGas, suffices: !givenSuffice, dataFee, nonce, proven };
  const estimate = { ...made, ...omitAbsent({ account }) };
  return accept({ estimate, simulated: omitAbsent({ trial, answers: reads && answers }) });
}

/** Our own estimate for the operation, with the data fee at the operation's price. */
function ownLimits(
  { withoutDataFee, maxPreVerificationGas, dataFee }: KnownEstimate,
  { operation, unseenVerificationGas: unseenGas = 0n }: Pick<GuardRequest, 'operation' | 'unseenVerificationGas'>,
): Result<OwnLimits> {
  const forData = dataGas(dataFee, operation);
  if (!forData.ok) return forData;
  const preVerificationGas = withoutDataFee.preVerificationGas + forData.value;
  return accept({
    limits: { ...withoutDataFee, preVerificationGas },
    dataGas: forData.value,
    maxPreVerificationGas,
    unseenGas,
  });
}

function isWithin(known: KnownEstimate, request: GuardRequest, bounds: Bounds): boolean {
  const own = ownLimits(known, request);
  const { gas } = request.operation;
  if (!own.ok || findExcess(gas, own.value, bounds) !== undefined) return false;
  return isEnough(known, gas);
}

function isEnough({ withoutDataFee, suffices, proven }: KnownEstimate, given: GasLimits): boolean {
  const isCovered = (limits: GasLimits) => findShortLimits(given, limits).length === 0;
  return isCovered(proven) || (suffices && isCovered(withoutDataFee));
}

/** Limits below the estimate are tried out: the estimate has margins, and senders may know their operation better. */
async function judge(
  estimate: KnownEstimate,
  request: GuardRequest,
  means: Parts & { readonly operationCheck: OperationCheck } & Simulated,
): Promise<Result<Guarded>> {
  const { operation, entryPoint, stub } = request;
  const own = ownLimits(estimate, request);
  if (!own.ok) return own;
  const { limits } = own.value;
  const guarded: Guarded = {
    dataGas: own.value.dataGas,
    ...omitAbsent({ account: estimate.account, answers: means.answers }),
  };
  const excess = await excessOf(request, own.value, boundsFor(means, request));
  if (!excess.ok) return excess;
  if (excess.value !== undefined) return refuseExcess(excess.value, limits);
  const [short] = findShortLimits(operation.gas, estimate.suffices ? limits : estimate.proven);
  if (short === undefined) return accept(guarded);
  const checked = { ...operation, nonce: estimate.nonce, gas: triedLimits(request) };
  const tried =
    means.trial === undefined
      ? await means.operationCheck.simulate({ operation: checked, entryPoint, stub })
      : readTrial(means.trial);
  if (!tried.ok) return refuseShortLimit(tried.refusal, short, operation.gas, limits);
  const mayRevert = means.config.allowRevertingOperations === true || request.mayRevert === true;
  if (!tried.value.success && !mayRevert) return refuseShortCall(tried.value, operation.gas, limits);
  estimate.proven = operation.gas;
  return accept(guarded);
}

/** The first limit that is too high. Clients may send more for accounts of the sender's kind. */
async function excessOf(request: GuardRequest, own: OwnLimits, bounds: Bounds): Promise<Result<Excess | undefined>> {
  let { gas } = request.operation;
  for (;;) {
    const excess = findExcess(gas, own, bounds);
    if (excess === undefined || request.mostOfKind === undefined) return accept(excess);
    const most = await request.mostOfKind(excess);
    if (!most.ok) return most;
    if (excess.asked > most.value) return accept({ ...excess, max: most.value });
    gas = { ...gas, [excess.field]: 0n };
  }
}

/** The result of the given limits in the estimate's simulation. */
function readTrial({ handling, call }: GivenTrial): Result<CheckResult> {
  if (!handling.taken) return refuse(handling.refusal);
  return accept(call.executed ? { success: true } : { success: false, ...revertDetails(call.revertData) });
}

/** The given limits, minus what must remain for the part of validation that a stub does not reach. */
function triedLimits({ operation: { gas }, unseenVerificationGas: unseen = 0n }: GuardRequest): GasLimits {
  const { verificationGasLimit } = gas;
  return { ...gas, verificationGasLimit: verificationGasLimit > unseen ? verificationGasLimit - unseen : 0n };
}

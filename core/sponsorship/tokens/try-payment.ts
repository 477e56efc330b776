import { isDeepStrictEqual } from 'node:util';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { divideUp, maxBigint } from '../../base/values/integers.ts';
import { noteResult } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { entryPointOf, requiredGas } from '../../evm/entry-point/entry-points.ts';
import type { PaymasterContractFamily, TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import { addMargin, postOpMarginBasisPoints } from '../../gas/simulation/estimation-context.ts';
import {
  asCharged,
  type Payable,
  postOpLimitField,
  postOpLimitOf,
  type TrialRequest,
} from '../../gas/token-payment-trial.ts';
import type { Granted } from '../cost.ts';
import { isEstimated, type WithGas, type WithOwnGas, type WithTreasury } from '../gas/choose-gas.ts';
import { paymasterGasFactor } from '../gas/find-gas-limits.ts';
import { emptyTreasuryGas } from '../gas/treasury-room.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, inTurn, type Step, type UserPays } from '../run/steps.ts';
import type { FeeToken } from './choose-tokens.ts';
import { type Quoted, quotedGrant, withOwnGas } from './keep-quote.ts';

type Tried = Asked & Identified & FeeToken & WithGas & { readonly grant: TokenGrant };

/**
 * Gives a stub the postOp limit that the token needs, if the operation can already be tried: its client keeps the limit for
 * the signed operation. The part for a payment in advance is left out if the tokens are not available yet.
 */
export const measurePayment: Step<Tried, WithGas> = async (request) => {
  const { operation, chain } = request;
  if (!entryPointOf(operation.entryPointVersion).isPacked) return accept({ operation });
  const measure = (inAdvance: Partial<TokenGrant>) => {
    const trial = trialOf(request, { operation, grant: { ...request.grant, ...inAdvance } });
    return inTurn(request, async () => accept(await chain.paymentTrial.measure(trial)));
  };
  const ahead = takesInAdvance(request) ? await measure({ inAdvance: 1n }) : undefined;
  if (ahead?.ok === false) return ahead;
  // A permit makes the tokens available, even before it is signed.
  const mayStandReady = ahead === undefined || ahead.value.payable !== undefined || request.grant.permit !== undefined;
  const measured = ahead?.value.payable === undefined ? await measure({}) : ahead;
  if (!measured.ok) return measured;
  const { payable, treasuryHolds } = measured.value;
  const filled = { ...request, treasuryHolds, operation: treasuryHolds ? withoutTreasuryRoom(request) : operation };
  const spared = mayStandReady ? filled.operation : withoutAdvanceGas(filled);
  if (payable === undefined) return accept({ operation: spared });
  const needed = addMargin(payable.postOpGas, postOpMarginBasisPoints);
  const paymasterPostOpGasLimit = maxBigint(needed, spared.gas.paymasterPostOpGasLimit);
  return accept({ operation: { ...spared, gas: { ...spared.gas, paymasterPostOpGasLimit } } });
};

/** Without a price no tokens can be taken in advance, even if the sender has some. */
function takesInAdvance({ contract, operation, grant }: Tried): boolean {
  return contract.family.advanceGas !== undefined && grant.signatureTrails !== true && operation.maxFeePerGas > 0n;
}

/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/** A time long past, in Unix seconds: no EntryPoint accepts what is signed for it. */
const longPast = 1;

/** The trial of a payment, with a signature that the contract accepts and that has expired. */
function trialOf({ contract, token }: Identified & FeeToken, { operation, grant }: Granted<TokenGrant>): TrialRequest {
  const { family, location } = contract;
  return {
    operation,
    entryPoint: location.entryPoint,
    paymaster: location.address,
    treasury: grant.treasury,
    token,
    ...omitAbsent({ permit: grant.permit }),
    needed: family.maximumTokenCharge(asCharged(operation), grant),
    weiPerUnit: divideUp(weiPerRate, grant.exchangeRate),
    paymasterAndData: async (tried) => {
      const past = { ...grant, validAfter: longPast, validUntil: longPast };
      const { unsigned, digest } = family.prepare(location, tried, past);
      return family.assemble(unsigned, await contract.signer.signDigest(digest));
    },
  };
}

/** The operation without the gas that only the first transfer to an empty treasury needs. */
function withoutTreasuryRoom(request: Tried): UserOperationWithGas {
  const { operation, grant } = request;
  const room = emptyTreasuryGas(request, grant);
  const paymasterVerificationGasLimit =
    operation.gas.paymasterVerificationGasLimit - room.paymasterVerificationGasLimit;
  const paymasterPostOpGasLimit = operation.gas.paymasterPostOpGasLimit - room.paymasterPostOpGasLimit;
  return { ...operation, gas: { ...operation.gas, paymasterVerificationGasLimit, paymasterPostOpGasLimit } };
}

/**
 * The operation without the gas that only a payment in advance needs: bundlers refuse mostly unused limits. A part of it is
 * gone already where the treasury has the token.
 */
function withoutAdvanceGas(
  request: Pick<Identified, 'chain' | 'contract'> & WithGas & WithTreasury & { readonly grant: TokenGrant },
): UserOperationWithGas {
  const { chain, contract, operation, grant, treasuryHolds } = request;
  const { gas } = operation;
  const wholeAdvance = contract.family.advanceGas?.(gasScheduleOf(chain.client)) ?? 0n;
  const room = treasuryHolds ? emptyTreasuryGas(request, grant).paymasterVerificationGasLimit : 0n;
  const paymasterVerificationGasLimit = gas.paymasterVerificationGasLimit - (wholeAdvance - room);
  return paymasterVerificationGasLimit > 0n
    ? { ...operation, gas: { ...gas, paymasterVerificationGasLimit } }
    : operation;
}

type Needed = Asked &
  Identified &
  ReadOperation &
  FeeToken &
  WithGas &
  Quoted &
  WithTreasury &
  UserPays & { readonly grant: TokenGrant };

/** The most that the contract may take from the sender, and what the sender has for it, in base units of the token. */
export type Afforded = { readonly afforded: { readonly most: bigint; readonly balance: bigint } };

type Paying = Granted<TokenGrant> & Afforded;

/** A started trial, for the operation and the grant at that time; undefined if there is none. */
type PaymentUnderWay = {
  readonly paymentUnderWay: (Granted<TokenGrant> & { readonly tried: Promise<Result<Paying>> }) | undefined;
};

/**
 * Starts the trial of limits given by the client in parallel to the node's estimate. Estimated limits have been simulated
 * already, and are tried in their turn.
 */
export const beginPayment: Step<Needed, PaymentUnderWay> = (request) => {
  const kept = isEstimated(request.context) ? undefined : quotedGrant(request);
  if (kept?.ok !== true) return accept({ paymentUnderWay: undefined });
  const { operation } = request;
  const tried = findPayment({ ...request, grant: kept.value });
  // Not awaited if a step before the payment refuses.
  tried.catch(() => undefined);
  return accept({ paymentUnderWay: { operation, grant: kept.value, tried } });
};

/**
 * Tries on the chain's nodes whether the user pays, and finds the grant and limits that work: the tokens are taken in
 * validation if the contract supports it and they are available, else after the call. If neither works, or the operation
 * cannot be simulated, it is not signed.
 */
export const tryPayment: Step<Needed & PaymentUnderWay & WithOwnGas, Paying> = async (request) => {
  const { paymentUnderWay: begun, operation, grant } = request;
  const isSame = begun !== undefined && isDeepStrictEqual({ operation, grant }, pickGranted(begun));
  const tried = await (isSame ? begun.tried : findAffordable(request));
  const isInAdvance = tried.ok && tried.value.grant.inAdvance !== undefined;
  const finding = ['token-payment', request.token.symbol, isInAdvance] as const;
  return noteResult(request.draft, { rule: 'token-payment', finding }, tried);
};

function pickGranted({ operation, grant }: Granted<TokenGrant>): Granted<TokenGrant> {
  return { operation, grant };
}

function findPayment(request: Needed): Promise<Result<Paying>> {
  return inTurn(request, () => findGrant(request));
}

/**
 * Tries our own limits if a bundler's exceed what the user has approved, or what was quoted once the postOp limit was
 * raised: the user may have approved the cost of our own.
 */
async function findAffordable(request: Needed & WithOwnGas): Promise<Result<Paying>> {
  const tried = await findPayment(request);
  if (tried.ok || !isTooMuch(tried.refusal)) return tried;
  const own = withOwnGas(request);
  if (own === undefined || requiredGas(own.operation) >= requiredGas(request.operation)) return tried;
  const kept = quotedGrant(own);
  return kept.ok ? findPayment({ ...own, grant: kept.value }) : tried;
}

function isTooMuch({ reason, limitKind }: Refusal): boolean {
  return reason === 'TOKEN_PAYMENT_FAILS' || limitKind === 'QUOTE';
}

async function findGrant(request: Needed): Promise<Result<Paying>> {
  const { mostInAdvance } = request.contract.family;
  // A stub promises the final data, but the possible advance depends on limits not known yet.
  if (mostInAdvance !== undefined && request.grant.signatureTrails !== true) {
    const inAdvance = await tryWith(request, mostInAdvance);
    if (inAdvance.ok || inAdvance.refusal.reason === 'CHAIN_UNAVAILABLE') return inAdvance;
  }
  // A client that gave its limits has the paymaster's from a stub, and may not accept others.
  const isOurs = isEstimated(request.context) && request.grant.signatureTrails !== true;
  return tryWith(isOurs ? { ...request, operation: withoutAdvanceGas(request) } : request, undefined);
}

/** The part taken in advance; undefined if there is none. */
type Advance = PaymasterContractFamily['mostInAdvance'];

async function tryWith(request: Needed, advance: Advance): Promise<Result<Paying>> {
  const first = withAdvance(request, advance);
  const tried = await runTrial(request, first);
  if (!tried.ok) return tried;
  if (tried.value.postOpGas <= postOpLimitOf(first.operation)) return accept(affordedBy(request, first, tried.value));
  const raised = raisePostOpLimit(request, tried.value.postOpGas);
  if (!raised.ok) return raised;
  const second = withAdvance(raised.value, advance);
  const again = await runTrial(request, second);
  if (!again.ok) return again;
  return again.value.postOpGas <= postOpLimitOf(second.operation)
    ? accept(affordedBy(request, second, again.value))
    : tooLittlePostOpGas(second.operation, again.value.postOpGas);
}

function affordedBy({ contract }: Needed, granted: Granted<TokenGrant>, { balance }: Payable): Paying {
  const most = contract.family.maximumTokenCharge(asCharged(granted.operation), granted.grant);
  return { ...granted, afforded: { most, balance } };
}

function withAdvance({ operation, grant }: Needed, advance: Advance): Granted<TokenGrant> {
  return { operation, grant: advance === undefined ? grant : { ...grant, inAdvance: advance(operation, grant) } };
}

function runTrial(request: Needed, granted: Granted<TokenGrant>): Promise<Result<Payable>> {
  return request.chain.paymentTrial.try(trialOf(request, granted));
}

/**
 * Raises the limit for a token with a costlier transfer; keeps the client's own if it suffices, since it may come from a
 * stub. The quote still holds.
 */
function raisePostOpLimit(request: Needed, postOpGas: bigint): Result<Needed> {
  const { operation, givenGas } = request;
  if (!entryPointOf(operation.entryPointVersion).isPacked) return tooLittlePostOpGas(operation, postOpGas);
  const wish = givenGas.paymasterPostOpGasLimit ?? 0n;
  const needed = addMargin(postOpGas, postOpMarginBasisPoints);
  const isFit = wish >= postOpGas && wish <= needed * paymasterGasFactor;
  const paymasterPostOpGasLimit = isFit ? wish : maxBigint(needed, operation.gas.paymasterPostOpGasLimit);
  const raised = { ...request, operation: { ...operation, gas: { ...operation.gas, paymasterPostOpGasLimit } } };
  const kept = quotedGrant(raised);
  return kept.ok ? accept({ ...raised, grant: kept.value }) : kept;
}

function tooLittlePostOpGas(operation: UserOperationWithGas, postOpGas: bigint): Result<never> {
  const field = postOpLimitField(operation.entryPointVersion);
  return refuse({
    reason: 'ESTIMATION_FAILED',
    message: `${field} is ${postOpLimitOf(operation)} gas. Collecting the tokens needs about ${postOpGas}.`,
    field,
  });
}

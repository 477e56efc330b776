import { isDeepStrictEqual } from 'node:util';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { divideUp, maxBigint } from '../../base/values/integers.ts';
import { noteResult } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { entryPointOf, requiredGas } from '../../evm/entry-point/entry-points.ts';
import type { PaymasterContractFamily, TokenTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import { addMargin, postOpMarginBasisPoints } from '../../gas/simulation/estimation-context.ts';
import {
  asCharged,
  type Payable,
  postOpLimitField,
  postOpLimitOf,
  type TrialRequest,
} from '../../gas/token-payment-trial.ts';
import type { WithSignedTerms } from '../cost.ts';
import { isEstimated, type WithGas, type WithOwnGas, type WithTokenRecipient } from '../gas/choose-gas.ts';
import { paymasterGasFactor } from '../gas/find-gas-limits.ts';
import { emptyTokenRecipientGas } from '../gas/token-recipient-room.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, inTurn, type Step, type UserPays } from '../run/steps.ts';
import type { FeeToken } from './choose-tokens.ts';
import { type Quoted, quotedTerms, withOwnGas } from './keep-quote.ts';

type Tried = Asked & Identified & FeeToken & WithGas & { readonly signedTerms: TokenTerms };

/**
 * Gives a stub the postOp limit that the token needs, if the operation can already be tried: its client keeps the limit for
 * the signed operation. The part for a payment in advance is left out if the tokens are not available yet.
 */
export const measurePayment: Step<Tried, WithGas> = async (request) => {
  const { operation, chain } = request;
  if (!entryPointOf(operation.entryPointVersion).isPacked) return accept({ operation });
  const measure = (inAdvance: Partial<TokenTerms>) => {
    const trial = trialOf(request, { operation, signedTerms: { ...request.signedTerms, ...inAdvance } });
    return inTurn(request, async () => accept(await chain.paymentTrial.measure(trial)));
  };
  const ahead = takesInAdvance(request) ? await measure({ inAdvance: 1n }) : undefined;
  if (ahead?.ok === false) return ahead;
  // A permit makes the tokens available, even before it is signed.
  const mayStandReady =
    ahead === undefined || ahead.value.payable !== undefined || request.signedTerms.permit !== undefined;
  const measured = ahead?.value.payable === undefined ? await measure({}) : ahead;
  if (!measured.ok) return measured;
  const { payable, tokenRecipientHolds } = measured.value;
  const filled = {
    ...request,
    tokenRecipientHolds,
    operation: tokenRecipientHolds ? withoutTokenRecipientRoom(request) : operation,
  };
  const spared = mayStandReady ? filled.operation : withoutAdvanceGas(filled);
  if (payable === undefined) return accept({ operation: spared });
  const needed = addMargin(payable.postOpGas, postOpMarginBasisPoints);
  const paymasterPostOpGasLimit = maxBigint(needed, spared.gas.paymasterPostOpGasLimit);
  return accept({ operation: { ...spared, gas: { ...spared.gas, paymasterPostOpGasLimit } } });
};

/** Without a price no tokens can be taken in advance, even if the sender has some. */
function takesInAdvance({ contract, operation, signedTerms }: Tried): boolean {
  return (
    contract.family.advanceGas !== undefined && signedTerms.signatureTrails !== true && operation.maxFeePerGas > 0n
  );
}

/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/** A time long past, in Unix seconds: no EntryPoint accepts what is signed for it. */
const longPast = 1;

/** The trial of a payment, with a signature that the contract accepts and that has expired. */
function trialOf(
  { contract, token }: Identified & FeeToken,
  { operation, signedTerms }: WithSignedTerms<TokenTerms>,
): TrialRequest {
  const { family, location } = contract;
  return {
    operation,
    entryPoint: location.entryPoint,
    paymaster: location.address,
    tokenRecipient: signedTerms.tokenRecipient,
    token,
    ...omitAbsent({ permit: signedTerms.permit }),
    needed: family.maximumTokenCharge(asCharged(operation), signedTerms),
    weiPerUnit: divideUp(weiPerRate, signedTerms.exchangeRate),
    paymasterAndData: async (tried) => {
      const past = { ...signedTerms, validAfter: longPast, validUntil: longPast };
      const { unsigned, digest } = family.prepare(location, tried, past);
      return family.assemble(unsigned, await contract.signer.signDigest(digest));
    },
  };
}

/** The operation without the gas that only the first transfer to an empty token recipient needs. */
function withoutTokenRecipientRoom(request: Tried): UserOperationWithGas {
  const { operation, signedTerms } = request;
  const room = emptyTokenRecipientGas(request, signedTerms);
  const paymasterVerificationGasLimit =
    operation.gas.paymasterVerificationGasLimit - room.paymasterVerificationGasLimit;
  const paymasterPostOpGasLimit = operation.gas.paymasterPostOpGasLimit - room.paymasterPostOpGasLimit;
  return { ...operation, gas: { ...operation.gas, paymasterVerificationGasLimit, paymasterPostOpGasLimit } };
}

/**
 * The operation without the gas that only a payment in advance needs: bundlers refuse mostly unused limits. A part of it is
 * gone already where the token recipient has the token.
 */
function withoutAdvanceGas(
  request: Pick<Identified, 'chain' | 'contract'> & WithGas & WithTokenRecipient & { readonly signedTerms: TokenTerms },
): UserOperationWithGas {
  const { chain, contract, operation, signedTerms, tokenRecipientHolds } = request;
  const { gas } = operation;
  const wholeAdvance = contract.family.advanceGas?.(gasScheduleOf(chain.client)) ?? 0n;
  const room = tokenRecipientHolds ? emptyTokenRecipientGas(request, signedTerms).paymasterVerificationGasLimit : 0n;
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
  WithTokenRecipient &
  UserPays & { readonly signedTerms: TokenTerms };

/** The most that the contract may take from the sender, and what the sender has for it, in base units of the token. */
export type Afforded = { readonly afforded: { readonly most: bigint; readonly balance: bigint } };

type Paying = WithSignedTerms<TokenTerms> & Afforded;

/** A started trial, for the operation and the terms at that time; undefined if there is none. */
type PaymentUnderWay = {
  readonly paymentUnderWay: (WithSignedTerms<TokenTerms> & { readonly tried: Promise<Result<Paying>> }) | undefined;
};

/**
 * Starts the trial of limits given by the client in parallel to the node's estimate. Estimated limits have been simulated
 * already, and are tried in their turn.
 */
export const beginPayment: Step<Needed, PaymentUnderWay> = (request) => {
  const kept = isEstimated(request.context) ? undefined : quotedTerms(request);
  if (kept?.ok !== true) return accept({ paymentUnderWay: undefined });
  const { operation } = request;
  const tried = findPayment({ ...request, signedTerms: kept.value });
  // Not awaited if a step before the payment refuses.
  tried.catch(() => undefined);
  return accept({ paymentUnderWay: { operation, signedTerms: kept.value, tried } });
};

/**
 * Tries on the chain's nodes whether the user pays, and finds the terms and limits that work: the tokens are taken in
 * validation if the contract supports it and they are available, else after the call. If neither works, or the operation
 * cannot be simulated, it is not signed.
 */
export const tryPayment: Step<Needed & PaymentUnderWay & WithOwnGas, Paying> = async (request) => {
  const { paymentUnderWay: begun, operation, signedTerms } = request;
  const isSame = begun !== undefined && isDeepStrictEqual({ operation, signedTerms }, pickGranted(begun));
  const tried = await (isSame ? begun.tried : findAffordable(request));
  const isInAdvance = tried.ok && tried.value.signedTerms.inAdvance !== undefined;
  const finding = ['token-payment', request.token.symbol, isInAdvance] as const;
  return noteResult(request.draft, { rule: 'token-payment', finding }, tried);
};

function pickGranted({ operation, signedTerms }: WithSignedTerms<TokenTerms>): WithSignedTerms<TokenTerms> {
  return { operation, signedTerms };
}

function findPayment(request: Needed): Promise<Result<Paying>> {
  return inTurn(request, () => findTerms(request));
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
  const kept = quotedTerms(own);
  return kept.ok ? findPayment({ ...own, signedTerms: kept.value }) : tried;
}

function isTooMuch({ reason, limitKind }: Refusal): boolean {
  return reason === 'TOKEN_PAYMENT_FAILS' || limitKind === 'QUOTE';
}

async function findTerms(request: Needed): Promise<Result<Paying>> {
  const { mostInAdvance } = request.contract.family;
  // A stub promises the final data, but the possible advance depends on limits not known yet.
  if (mostInAdvance !== undefined && request.signedTerms.signatureTrails !== true) {
    const inAdvance = await tryWith(request, mostInAdvance);
    if (inAdvance.ok || inAdvance.refusal.reason === 'CHAIN_UNAVAILABLE') return inAdvance;
  }
  // A client that gave its limits has the paymaster's from a stub, and may not accept others.
  const isOurs = isEstimated(request.context) && request.signedTerms.signatureTrails !== true;
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

function affordedBy({ contract }: Needed, granted: WithSignedTerms<TokenTerms>, { balance }: Payable): Paying {
  const most = contract.family.maximumTokenCharge(asCharged(granted.operation), granted.signedTerms);
  return { ...granted, afforded: { most, balance } };
}

function withAdvance({ operation, signedTerms }: Needed, advance: Advance): WithSignedTerms<TokenTerms> {
  return {
    operation,
    signedTerms: advance === undefined ? signedTerms : { ...signedTerms, inAdvance: advance(operation, signedTerms) },
  };
}

function runTrial(request: Needed, granted: WithSignedTerms<TokenTerms>): Promise<Result<Payable>> {
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
  const kept = quotedTerms(raised);
  return kept.ok ? accept({ ...raised, signedTerms: kept.value }) : kept;
}

function tooLittlePostOpGas(operation: UserOperationWithGas, postOpGas: bigint): Result<never> {
  const field = postOpLimitField(operation.entryPointVersion);
  return refuse({
    reason: 'ESTIMATION_FAILED',
    message: `${field} is ${postOpLimitOf(operation)} gas. Collecting the tokens needs about ${postOpGas}.`,
    field,
  });
}

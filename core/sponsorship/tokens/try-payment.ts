import { isDeepStrictEqual } from 'node:util';
import { maxBigint } from '../../base/values/integers.ts';
import { noteResult } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { entryPointOf, requiredGas } from '../../evm/entry-point/entry-points.ts';
import type { PaymasterContractFamily, TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { addMargin, postOpMarginBasisPoints } from '../../gas/simulation/estimation-limits.ts';
import { type Payable, postOpLimitField, postOpLimitOf } from '../../gas/token-payment-trial.ts';
import type { Granted } from '../cost/cap-cost.ts';
import { isEstimated, type WithGas, type WithOwnGas } from '../gas/choose-gas.ts';
import { paymasterGasFactor } from '../gas/find-gas-limits.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import { inTurn } from '../run/in-turn.ts';
import type { Step } from '../run/steps.ts';
import type { UserPays } from '../run/user-pays.ts';
import type { FeeToken } from './choose-fee-token.ts';
import { type Quoted, quotedGrant, withOwnGas } from './keep-quote.ts';
import { trialOf } from './trial-of.ts';
import { withoutAdvanceGas } from './without-advance-gas.ts';

type Needed = Asked &
  Identified &
  ReadOperation &
  FeeToken &
  WithGas &
  Quoted &
  UserPays & { readonly grant: TokenGrant };

/** A trial that has begun, for the operation and the grant as they were then; undefined where none has. */
type PaymentUnderWay = {
  readonly paymentUnderWay:
    | (Granted<TokenGrant> & { readonly tried: Promise<Result<Granted<TokenGrant>>> })
    | undefined;
};

/**
 * Begins the trial of limits that the client gave, so that the node simulates it while it is asked what the operation
 * needs. Estimated limits have been simulated already, and are tried when it is their turn.
 */
export const beginPayment: Step<Needed, PaymentUnderWay> = (request) => {
  const kept = isEstimated(request.context) ? undefined : quotedGrant(request);
  if (kept?.ok !== true) return accept({ paymentUnderWay: undefined });
  const { operation } = request;
  const tried = findPayment({ ...request, grant: kept.value });
  // No one waits for it when a step before the payment refuses.
  tried.catch(() => undefined);
  return accept({ paymentUnderWay: { operation, grant: kept.value, tried } });
};

/**
 * Tries on the chain's nodes whether the user pays, and finds the grant and the limits with which he does: the tokens
 * are taken in validation where the contract can and they stand ready, else after the call. Where neither works, or the
 * operation cannot be simulated, it is not signed.
 */
export const tryPayment: Step<Needed & PaymentUnderWay & WithOwnGas, Granted<TokenGrant>> = async (request) => {
  const { paymentUnderWay: begun, operation, grant } = request;
  const isSame = begun !== undefined && isDeepStrictEqual({ operation, grant }, pickGranted(begun));
  const tried = await (isSame ? begun.tried : findAffordable(request));
  const taken = tried.ok && tried.value.grant.inAdvance !== undefined ? ', collected before the call' : '';
  const seen = { rule: 'token-payment', checked: `a trial of the payment in ${request.token.symbol}${taken}` } as const;
  return noteResult(request.draft, seen, tried);
};

function pickGranted({ operation, grant }: Granted<TokenGrant>): Granted<TokenGrant> {
  return { operation, grant };
}

function findPayment(request: Needed): Promise<Result<Granted<TokenGrant>>> {
  return inTurn(request, () => findGrant(request));
}

/**
 * Our own limits are tried where a bundler's come to more than the user has approved, or than was quoted once the limit of postOp
 * was raised: the user may have approved what our own cost.
 */
async function findAffordable(request: Needed & WithOwnGas): Promise<Result<Granted<TokenGrant>>> {
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

async function findGrant(request: Needed): Promise<Result<Granted<TokenGrant>>> {
  const { mostInAdvance } = request.contract.family;
  // What can be taken depends on limits that are not known yet when a stub promises what will be signed.
  if (mostInAdvance !== undefined && request.grant.signatureTrails !== true) {
    const inAdvance = await tryWith(request, mostInAdvance);
    if (inAdvance.ok || inAdvance.refusal.reason === 'CHAIN_UNAVAILABLE') return inAdvance;
  }
  // A client that gave its limits has the paymaster's from a stub, and may not take others.
  const isOurs = isEstimated(request.context) && request.grant.signatureTrails !== true;
  return tryWith(isOurs ? { ...request, operation: withoutAdvanceGas(request) } : request, undefined);
}

/** What is taken in advance; undefined where nothing is. */
type Advance = PaymasterContractFamily['mostInAdvance'];

async function tryWith(request: Needed, advance: Advance): Promise<Result<Granted<TokenGrant>>> {
  const first = withAdvance(request, advance);
  const tried = await runTrial(request, first);
  if (!tried.ok) return tried;
  if (tried.value.postOpGas <= postOpLimitOf(first.operation)) return accept(first);
  const raised = raisePostOpLimit(request, tried.value.postOpGas);
  if (!raised.ok) return raised;
  const second = withAdvance(raised.value, advance);
  const again = await runTrial(request, second);
  if (!again.ok) return again;
  return again.value.postOpGas <= postOpLimitOf(second.operation)
    ? accept(second)
    : tooLittlePostOpGas(second.operation, again.value.postOpGas);
}

function withAdvance({ operation, grant }: Needed, advance: Advance): Granted<TokenGrant> {
  return { operation, grant: advance === undefined ? grant : { ...grant, inAdvance: advance(operation, grant) } };
}

function runTrial(request: Needed, granted: Granted<TokenGrant>): Promise<Result<Payable>> {
  return request.chain.paymentTrial.try(trialOf(request, granted));
}

/**
 * A token with a costlier transfer gets the limit it needs: the client's own where that suffices, since it may have
 * it from a stub. What was quoted holds nevertheless.
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

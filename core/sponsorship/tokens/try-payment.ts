import { isDeepStrictEqual } from 'node:util';
import { maxBigint } from '../../base/values/integers.ts';
import { noteResult } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { entryPointOf, requiredGas } from '../../evm/entry-point/entry-points.ts';
import type { PaymasterContractFamily, TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { addMargin, postOpMarginBasisPoints } from '../../gas/simulation/estimation-context.ts';
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
import type { FeeToken } from './choose-tokens.ts';
import { type Quoted, quotedGrant, withOwnGas } from './keep-quote.ts';
import { trialOf, withoutAdvanceGas } from './measure-payment.ts';

type Needed = Asked &
  Identified &
  ReadOperation &
  FeeToken &
  WithGas &
  Quoted &
  UserPays & { readonly grant: TokenGrant };

/** A started trial, for the operation and the grant at that time; undefined if there is none. */
type PaymentUnderWay = {
  readonly paymentUnderWay:
    | (Granted<TokenGrant> & { readonly tried: Promise<Result<Granted<TokenGrant>>> })
    | undefined;
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
export const tryPayment: Step<Needed & PaymentUnderWay & WithOwnGas, Granted<TokenGrant>> = async (request) => {
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

function findPayment(request: Needed): Promise<Result<Granted<TokenGrant>>> {
  return inTurn(request, () => findGrant(request));
}

/**
 * Tries our own limits if a bundler's exceed what the user has approved, or what was quoted once the postOp limit was
 * raised: the user may have approved the cost of our own.
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

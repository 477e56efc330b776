import { unixSeconds } from '../../base/time/clock.ts';
import { noteRuling } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { SponsoredGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { UpstreamReservation } from '../../ledger/holds/hold-request.ts';
import type { Upstream } from '../../node/upstream/create-upstream.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import { worthUsdMicros } from '../../policies/worth-usd.ts';
import type { Granted } from '../cost/cap-cost.ts';
import { capOperationCost } from '../permit/check-gas-price.ts';
import { followRulings } from '../permit/decide-request.ts';
import { type MayGoUpstream, upstreamOf } from './outage.ts';

/** Gas per byte by which other paymaster data is longer than ours: the highest call data price (EIP-7623). */
export const gasPerByte = 40n;
/** Most bytes by which it may be longer. */
const maxMoreBytes = 256n;
/** How long an answer is awaited beyond its two time-outs, in seconds, in case a process has died. */
const slackSeconds = 30;

/** Another paymaster will be asked, and its maximum cost. */
export type GoesUpstream = {
  readonly upstream: Upstream;
  readonly outage: Refusal;
  /** Wei; an answer that can cost more is not returned. */
  readonly worstUpstream: bigint;
  readonly worstUpstreamUsdMicros: bigint;
};
export type HeldUpstream = {
  readonly goes: GoesUpstream;
  readonly reservation: UpstreamReservation;
  /** Identifies the request: a repeated one gets the same answer. */
  readonly requestKey: string;
};

/**
 * Decides the cost again, with the maximum of the other paymaster's gas, and in USD, which its budget counts. Without a
 * price it is not asked.
 */
export async function boundUpstreamCost(
  request: MayGoUpstream & Granted<SponsoredGrant>,
  outage: Refusal,
): Promise<Result<GoesUpstream>> {
  const upstream = upstreamOf(request);
  if (upstream === undefined) return refuse(outage);
  const { draft, chain, operation, profile } = request;
  const gas = mostGas(operation, upstream);
  const worstUpstream = entryPointOf(operation.entryPointVersion).requiredGas(gas) * operation.maxFeePerGas;
  const capped = capOperationCost(worstUpstream, chain.config);
  if (!capped.ok) return capped;
  const price = await chain.rates.nativeUsdMicros();
  if (!price.ok) {
    noteRuling(draft, { rule: 'upstream', finding: ['coin-price'], refusal: outage });
    return refuse(outage);
  }
  const sum = Object.values(gas).reduce((total, limit) => total + limit, 0n);
  const facts = { policy: profile.policy, gas: sum, worstCase: worstUpstream, usdMicrosPerCoin: price.value };
  const refusal = decideStage('cost', facts, 'SPONSORED').filter((ruling) => ruling.refusal !== undefined);
  const worstUpstreamUsdMicros = worthUsdMicros(worstUpstream, price.value);
  return followRulings(draft, refusal, { upstream, outage, worstUpstream, worstUpstreamUsdMicros });
}

/** The operation's limits with the most gas that another paymaster may use. */
function mostGas({ gas, entryPointVersion }: UserOperationWithGas, { config }: Upstream): UserOperationWithGas['gas'] {
  const preVerificationGas = gas.preVerificationGas + maxMoreBytes * gasPerByte;
  if (!entryPointOf(entryPointVersion).isPacked) return { ...gas, preVerificationGas };
  return {
    ...gas,
    preVerificationGas,
    paymasterVerificationGasLimit: BigInt(config.maxPaymasterGas),
    paymasterPostOpGasLimit: 0n,
  };
}

/** The fields of a hold for another paymaster: nothing of the tank is held. */
export function askOf({ parts }: MayGoUpstream, goes: GoesUpstream) {
  const waitSeconds = Math.ceil((2 * goes.upstream.config.timeoutMs) / 1_000) + slackSeconds;
  return {
    usdMicros: goes.worstUpstreamUsdMicros,
    budget: goes.upstream.config.budget,
    outage: goes.outage,
    askedUntil: unixSeconds(parts.clock) + waitSeconds,
  };
}

import { unixSeconds } from '../base/time/clock.ts';
import { noteRuling } from '../decisions/decision-draft.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import { entryPointOf } from '../evm/entry-point/entry-points.ts';
import type { SponsoredTerms } from '../evm/paymaster-contracts/family/family.ts';
import { type GasSchedule, gasScheduleOf } from '../gas/gas-schedule.ts';
import type { VendorReservation } from '../ledger/holds/hold-request.ts';
import type { ChainView } from '../node/followed-chain.ts';
import { mostPaymasterGas, type Vendor } from '../node/vendor/create-vendor.ts';
import { textsOf } from '../policies/findings/finding.ts';
import { decideStage } from '../policies/rules/decide-stage.ts';
import { worthUsdMicros } from '../policies/worth-usd.ts';
import { calledOf, type WithSignedTerms } from './cost.ts';
import type { Identified } from './identify/identify.ts';
import { checkChain, checkContract, checkSigner, type Viewed, viewWithoutLedger } from './permit/check-chain.ts';
import { capOperationCost } from './permit/check-gas-price.ts';
import { followRulings } from './permit/decide-request.ts';
import type { DecodedCalls } from './permit/decode-calls.ts';
import type { Asked, Step } from './run/steps.ts';
import type { Parallel } from './sponsored-terms.ts';

/** Gas per byte by which other paymaster data is longer than ours: the highest price of call data (EIP-7623). */
export const mostGasPerByte = ({ floorOtherByte }: GasSchedule): bigint => floorOtherByte;
/** Most bytes by which it may be longer. */
const maxMoreBytes = 256n;
/** How long an answer is awaited beyond its two time-outs, in seconds, in case a process has died. */
const slackSeconds = 30;

/** Another paymaster will be asked, and its maximum cost. */
export type VendorTerms = {
  readonly client: Vendor;
  readonly why: Refusal;
  /** Wei; an answer that can cost more is not returned. */
  readonly worstCase: bigint;
  readonly worstCaseUsdMicros: bigint;
};
export type HeldVendor = {
  readonly vendor: VendorTerms;
  readonly reservation: VendorReservation;
  /** Identifies the request: a repeated one gets the same answer. */
  readonly requestKey: string;
};

/**
 * Decides the cost again, with the maximum of the other paymaster's gas, and in USD, which its budget counts. Without a
 * price it is not asked.
 */
export async function boundVendorCost(
  request: MayAskVendor & WithSignedTerms<SponsoredTerms> & Pick<DecodedCalls, 'calls'>,
  why: Refusal,
): Promise<Result<VendorTerms>> {
  const vendor = vendorOf(request);
  if (vendor === undefined) return refuse(why);
  const { draft, chain, operation } = request;
  const gas = mostGas(operation, vendor, gasScheduleOf(chain.client));
  const worstCase = entryPointOf(operation.entryPointVersion).requiredGas(gas) * operation.maxFeePerGas;
  const capped = capOperationCost(worstCase, chain.config);
  if (!capped.ok) return capped;
  const price = await chain.rates.nativeUsdMicros();
  if (!price.ok) {
    noteRuling(draft, { rule: 'vendor', finding: ['coin-price'], refusal: why });
    return refuse(why);
  }
  const sum = Object.values(gas).reduce((total, limit) => total + limit, 0n);
  const facts = {
    ...calledOf(request),
    gas: sum,
    callGas: gas.callGasLimit,
    worstCase,
    usdMicrosPerCoin: price.value,
  };
  const refusal = decideStage('cost', facts, 'SPONSORED').filter((ruling) => ruling.refusal !== undefined);
  const worstCaseUsdMicros = worthUsdMicros(worstCase, price.value);
  return followRulings(draft, refusal, { client: vendor, why, worstCase, worstCaseUsdMicros });
}

/** The operation's limits with the most gas that another paymaster may use. */
function mostGas(
  { gas, entryPointVersion }: UserOperationWithGas,
  { config }: Vendor,
  prices: GasSchedule,
): UserOperationWithGas['gas'] {
  const preVerificationGas = gas.preVerificationGas + maxMoreBytes * mostGasPerByte(prices);
  if (!entryPointOf(entryPointVersion).isPacked) return { ...gas, preVerificationGas };
  return {
    ...gas,
    preVerificationGas,
    paymasterVerificationGasLimit: mostPaymasterGas(config, prices),
    paymasterPostOpGasLimit: 0n,
  };
}

/** The fields of a hold for another paymaster: nothing of the tank is held. */
export function askOf({ parts }: MayAskVendor, vendor: VendorTerms) {
  const waitSeconds = Math.ceil((2 * vendor.client.config.timeoutMs) / 1_000) + slackSeconds;
  return {
    usdMicros: vendor.worstCaseUsdMicros,
    budget: vendor.client.config.budget,
    why: vendor.why,
    askedUntil: unixSeconds(parts.clock) + waitSeconds,
  };
}

/** Why our own paymaster does not sign, if another one is asked instead; undefined while it does. */
export type WhyVendor = { readonly why?: Refusal };

/** A request that another paymaster may answer. */
export type MayAskVendor = Asked & Identified & Parallel & WhyVendor;

/**
 * The paymaster to ask instead of ours. None for accounts that the operator does not name, while it fails, and if the
 * account signs in parallel: no one else can sign what our stub says.
 */
export function vendorOf({ chain: { vendor }, profile, parallel }: MayAskVendor): Vendor | undefined {
  if (vendor === undefined || parallel !== undefined || vendor.fault() !== undefined) return undefined;
  const { accounts } = vendor.config;
  return accounts === 'all' || accounts.includes(profile.paymaster.accountId) ? vendor : undefined;
}

/** The contract does not match the configuration: nothing is signed for it, but a policy can be decided without it. */
export const checkContractOrAskVendor: Step<MayAskVendor, WhyVendor> = async (request) => {
  const checked = await checkContract(request);
  return checked.ok ? checked : turnToVendor(request, checked, {});
};

/**
 * The ledger is behind the chain: the tank's funds are unknown, which does not matter to the vendor's paymaster. A silent node is no reason:
 * without it neither gas, account nor gas price can be judged.
 */
export const checkChainOrAskVendor: Step<MayAskVendor, Viewed & WhyVendor> = async (request) => {
  const checked = await checkChain(request);
  if (checked.ok) return checked;
  const view = viewWithoutLedger(request.chain, request.parts.clock);
  return view === undefined ? checked : turnToVendor<{ readonly view: ChainView }>(request, checked, { view });
};

/** No key signs at the moment. */
export const checkSignerOrAskVendor: Step<MayAskVendor, WhyVendor> = async (request) => {
  const checked = await checkSigner(request);
  return checked.ok ? checked : turnToVendor(request, checked, {});
};

/** Continues if another paymaster may be asked; otherwise the refusal stands. The trace says why it continued. */
export function turnToVendor<Found extends object>(
  request: MayAskVendor,
  refused: Result<never>,
  found: Found,
): Result<Found & WhyVendor> {
  if (refused.ok || vendorOf(request) === undefined) return refused;
  noteWhy(request, refused.refusal);
  return accept({ ...found, why: request.why ?? refused.refusal });
}

/** Notes the refusing step as passed, since the decision continues. */
export function noteWhy({ draft }: Pick<Asked, 'draft'>, { message }: Refusal): void {
  const refused = draft.trace.at(-1)?.remedy === undefined ? undefined : draft.trace.pop();
  const checked = refused && textsOf(refused.finding).checked;
  noteRuling(draft, { rule: refused?.rule ?? 'vendor', finding: ['own-paymaster', checked, message] });
}

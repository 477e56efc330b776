import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, getAddress, type Hex, numberToHex } from 'viem';
import { accept, type Result } from '../domain/result/result.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import type { InnerCall } from '../evm/account-decoders/decoder.ts';
import type { SignedTerms } from '../evm/paymaster-contracts/family/family.ts';
import type { SponsorProfile } from '../paymasters/sponsor-profile.ts';
import { decideStage } from '../policies/rules/decide-stage.ts';
import { countsUsd, worthUsdMicros } from '../policies/worth-usd.ts';
import { freshPrice } from '../quotes/last-coin-price.ts';
import type { Chosen } from './identify/choose-policy.ts';
import type { Identified } from './identify/identify.ts';
import { askOnce, reportedMore } from './permit/ask-webhooks.ts';
import { capOperationCost } from './permit/check-gas-price.ts';
import type { Ticketed } from './permit/check-ticket.ts';
import { followRulings, type StageDecided } from './permit/decide-request.ts';
import { type DecodedCalls, type PaidCalls, withContent } from './permit/decode-calls.ts';
import { type Asked, noted, notedIfRefused, type Step, type UserPays } from './run/steps.ts';

/** Version of the content of `payload: "OPERATION"`. Fields may be added without a new version, but not changed. */
const sponsorshipPayloadVersion = 1;

/** The content. Wei, and millionths of a USD. */
type SponsorshipNotice = {
  readonly decisionId: string;
  readonly paymasterId: string;
  readonly policyId?: string;
  readonly chainId: number;
  /** `ERC20` for an operation that the user pays for, under a policy that binds it like a sponsored one. */
  readonly mode: SponsorshipMode;
  readonly entryPoint: Address;
  readonly operation: UserOperationWithGas;
  readonly calls: readonly {
    readonly target: Address;
    readonly value: bigint;
    readonly selector?: Hex;
    readonly data: Hex;
    /** The account holder's name for the registered contract. */
    readonly contractName?: string;
  }[];
  /** The user of the request's ticket, as a digest, and its label. */
  readonly ticket?: { readonly subject: string; readonly label?: string };
  readonly worstCase: bigint;
  readonly worstCaseUsdMicros?: bigint;
};

/** Its JSON text. It contains no signature, apiKey or ticket, so its reader cannot request a sponsorship with it. */
function sponsorshipJson(reported: SponsorshipNotice): string {
  const { operation, calls, ticket, worstCase, worstCaseUsdMicros: usdMicros, ...ids } = reported;
  return JSON.stringify({
    version: sponsorshipPayloadVersion,
    ...ids,
    userOperation: operationFields(operation),
    calls: calls.map(({ value, ...call }) => ({ ...call, value: value.toString() })),
    ticket: ticket ?? null,
    worstCaseWei: worstCase.toString(),
    worstCaseUsd: usdMicros === undefined ? null : usdText(usdMicros),
  });
}

function operationFields({ sender, nonce, initCode, callData, gas, ...fees }: UserOperationWithGas) {
  const limits = Object.entries(gas).map(([name, limit]) => [name, numberToHex(limit)]);
  return {
    sender,
    nonce: numberToHex(nonce),
    initCode,
    callData,
    ...Object.fromEntries(limits),
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
    ...(fees.eip7702Delegate === undefined ? {} : { eip7702Delegate: fees.eip7702Delegate }),
  };
}

function usdText(micros: bigint): string {
  return `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`;
}

type Needed = Asked & Identified & Chosen & Ticketed & WithSignedTerms & WorstCase & PricedCost;

/** Calls the webhooks that receive the operation, once everything in their payload is known, of which the cost is last. */
export const askOperationWebhooks: Step<Needed & DecodedCalls, object> = (request) => ask(request, request.calls);

/** Calls them for an operation that the user pays for, if its policy binds it like a sponsored one. */
export const askOperationWebhooksOfPaid: Step<Needed & PaidCalls & Partial<UserPays>, object> = (request) =>
  request.paidCalls === undefined ? accept({}) : ask(request, request.paidCalls.calls);

async function ask(request: Needed & Partial<UserPays>, calls: readonly InnerCall[]): Promise<Result<object>> {
  const webhooks = request.profile.webhooks.filter(reportedMore);
  if (webhooks.length === 0) return accept({});
  return askOnce(request, { webhooks, sponsorshipJson: await describe(request, calls) });
}

async function describe(request: Needed, calls: readonly InnerCall[]): Promise<string> {
  const { draft, profile, chain, contract, operation, ticket, worstCase } = request;
  const price = request.usdMicrosPerCoin ?? (await priceOf(request));
  return sponsorshipJson({
    decisionId: draft.decisionId,
    paymasterId: profile.paymaster.paymasterId,
    chainId: chain.config.chainId,
    ...omitAbsent({ policyId: profile.chosen?.policyId }),
    mode: request.signedTerms.mode,
    entryPoint: contract.location.entryPoint,
    operation,
    calls: calls.map((call) => ({
      ...call,
      target: getAddress(call.target),
      ...omitAbsent({ contractName: profile.contracts.get(call.target.toLowerCase())?.name }),
    })),
    ...(ticket === undefined ? {} : { ticket: { subject: ticket.user, ...omitAbsent({ label: ticket.label }) } }),
    worstCase,
    ...omitAbsent({ worstCaseUsdMicros: price === undefined ? undefined : worthUsdMicros(worstCase, price) }),
  });
}

/** Without a price the worth is left out; no sponsorship is refused for that. */
async function priceOf({ chain }: Needed): Promise<bigint | undefined> {
  const price = await chain.rates.nativeUsdMicros();
  return price.ok ? price.value : undefined;
}

/** The calls of a sponsored operation, or of one that the user pays for: then only if the policy binds them. */
type MadeCalls = Pick<DecodedCalls, 'calls'> | PaidCalls;

/** What the rules on the cost need to know of the calls. */
export function calledOf(request: Pick<Identified, 'profile'> & MadeCalls) {
  const { policy, calledLimits } = request.profile;
  const calls = 'calls' in request ? request.calls : (request.paidCalls?.judged ?? []);
  return { policy, calledLimits, calls: calls.map(withContent) };
}

/** The rules of the owner's policy about what one operation can cost. */
export const decideCost: Step<
  Asked & Identified & WithSignedTerms & WorstCase & PricedCost & MadeCalls,
  StageDecided<'cost'>
> = (request) => {
  const { draft, signedTerms, operation, gas, worstCase, usdMicrosPerCoin } = request;
  const callGas = operation.gas.callGasLimit;
  const facts = { ...calledOf(request), gas, callGas, worstCase, ...omitAbsent({ usdMicrosPerCoin }) };
  return followRulings(draft, decideStage('cost', facts, signedTerms.mode), { costDecided: true as const });
};

/** The terms to sign. */
export type WithSignedTerms<G extends SignedTerms = SignedTerms> = {
  readonly operation: UserOperationWithGas;
  readonly signedTerms: G;
};

/** The sum of an operation's gas limits, and its maximum cost to the sponsor, in wei. */
export type WorstCase = { readonly gas: bigint; readonly worstCase: bigint };

/** The operation's maximum cost, within the operator's cap. */
export const capCost: Step<Asked & Identified & WithSignedTerms, WorstCase> = (request) => {
  const { draft, chain, contract, operation, signedTerms } = request;
  const worstCase = contract.family.worstCase(operation, signedTerms);
  const gas = Object.values(operation.gas).reduce((sum, limit) => sum + limit, 0n);
  draft.gas = gas;
  draft.callGas = operation.gas.callGasLimit;
  draft.worstCase = worstCase;
  return checkCap({ draft, chain, gas, worstCase });
};

const checkCap = noted(
  { rule: 'operator-cost', finding: ({ worstCase }) => ['operator-cost', worstCase] },
  ({ gas, worstCase, chain }: Pick<Asked, 'draft'> & Pick<Identified, 'chain'> & WorstCase) => {
    const capped = capOperationCost(worstCase, chain.config);
    return capped.ok ? accept({ gas, worstCase }) : capped;
  },
);

/** The worth of 10^18 wei in millionths of a USD; undefined if nothing needs it. */
export type PricedCost = { readonly usdMicrosPerCoin: bigint | undefined };

/**
 * Reads the coin's price if the policy, the ticket or a key of the paymaster counts in USD. Else the decision's record has the
 * price last seen, so that a limit in USD can be tried on it later.
 */
export const priceCoin: Step<Asked & Identified & Ticketed, PricedCost> = notedIfRefused(
  { rule: 'coin-price', finding: ['coin-price'] },
  async ({ profile, chain, draft, parts, ticket }: Asked & Identified & Ticketed): Promise<Result<PricedCost>> => {
    const isAsked = countsUsd(profile.policy) || ticket?.budgetUsdMicros !== undefined || keysCountUsd(profile);
    if (!isAsked) {
      const seen = freshPrice(chain.coinPrice, parts.clock);
      if (seen !== undefined) draft.usdMicrosPerCoin = seen;
      return accept({ usdMicrosPerCoin: undefined });
    }
    const price = await chain.rates.nativeUsdMicros();
    if (!price.ok) return price;
    draft.usdMicrosPerCoin = price.value;
    return accept({ usdMicrosPerCoin: price.value });
  },
);

/** Another key with a limit in USD may have requested the operation before. */
function keysCountUsd({ keyLimits }: SponsorProfile): boolean {
  return [...keyLimits.values()].some((limits) => limits.some(({ unit }) => unit === 'usdMicros'));
}

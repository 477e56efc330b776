import { omitAbsent } from '@tollfree/contract/omit-absent';
import { accept, type Result } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import { countsUsd } from '../../policies/worth-usd.ts';
import type { Identified } from '../identify/identify.ts';
import { capOperationCost } from '../permit/check-gas-price.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import { followRulings, type StageDecided } from '../permit/decide-request.ts';
import { type Asked, noted, notedIfRefused, type Step } from '../run/steps.ts';

/** The rules of the owner's policy about what one operation can cost. */
export const decideCost: Step<Asked & Identified & Granted & WorstCase & PricedCost, StageDecided<'cost'>> = ({
  draft,
  profile,
  grant,
  gas,
  worstCase,
  usdMicrosPerCoin,
}) => {
  const facts = { policy: profile.policy, gas, worstCase, ...omitAbsent({ usdMicrosPerCoin }) };
  return followRulings(draft, decideStage('cost', facts, grant.mode), { costDecided: true as const });
};

/** The terms to sign. */
export type Granted<G extends Grant = Grant> = { readonly operation: UserOperationWithGas; readonly grant: G };

/** The sum of an operation's gas limits, and its maximum cost to the sponsor, in wei. */
export type WorstCase = { readonly gas: bigint; readonly worstCase: bigint };

/** The operation's maximum cost, within the operator's cap. */
export const capCost: Step<Asked & Identified & Granted, WorstCase> = (request) => {
  const { draft, chain, contract, operation, grant } = request;
  const worstCase = contract.family.worstCase(operation, grant);
  const gas = Object.values(operation.gas).reduce((sum, limit) => sum + limit, 0n);
  draft.gas = gas;
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

/** Reads the coin's price if the policy, the ticket or a key of the paymaster counts in USD. */
export const priceCoin: Step<Asked & Identified & Ticketed, PricedCost> = notedIfRefused(
  { rule: 'coin-price', finding: ['coin-price'] },
  async ({ profile, chain, draft, ticket }: Asked & Identified & Ticketed): Promise<Result<PricedCost>> => {
    const isAsked = countsUsd(profile.policy) || ticket?.budgetUsdMicros !== undefined || keysCountUsd(profile);
    if (!isAsked) return accept({ usdMicrosPerCoin: undefined });
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

import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import { countsUsd } from '../../policies/counts-usd.ts';
import { ruleOnCost } from '../../policies/rules/rule-on-cost.ts';
import { checkOperationCost } from '../permission/check-caps.ts';
import { follow } from '../permission/follow-policy.ts';
import type { Identified } from '../request/identify.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';

/** What an operation can cost at most, in wei, and the coin's price where the policy counts in USD. */
export type CappedCost = { readonly amount: bigint; readonly usdMicrosPerCoin?: bigint };

/** What the operation can cost at worst, within the operator's cap and, where the application pays, within its own. */
export async function capCost(
  run: SponsorshipRun,
  { profile, chain, contract }: Identified,
  operation: UserOperationWithGas,
  grant: Grant,
): Promise<Result<CappedCost>> {
  const { draft } = run;
  const amount = contract.family.worstCase(operation, grant);
  draft.worstCase = amount;
  const capped = noteResult(
    draft,
    { rule: 'operator-cost', checked: `worst case ${amount} wei` },
    checkOperationCost(amount, chain.config),
  );
  if (!capped.ok) return capped;
  if (grant.mode === 'ERC20') return accept({ amount });
  const { policy } = profile;
  if (!countsUsd(policy)) return follow(draft, [ruleOnCost(policy, { worstCase: amount })], { amount });
  const price = await chain.rates.nativeUsdMicros();
  if (!price.ok) return noteResult(draft, { rule: 'coin-price', checked: 'the coin’s price in USD' }, price);
  draft.usdMicrosPerCoin = price.value;
  const cost = { amount, usdMicrosPerCoin: price.value };
  return follow(draft, [ruleOnCost(policy, { worstCase: amount, usdMicrosPerCoin: price.value })], cost);
}

import { accept } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Identified } from '../identify/identify.ts';
import { capOperationCost } from '../permit/check-gas-price.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';

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

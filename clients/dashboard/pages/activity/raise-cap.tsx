import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { suggestCap } from '@tollfree/contract/suggested-limit';
import type { ReactNode } from 'react';
import { headersOf, policyQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch } from '../../api/use-save.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { amountOfCoin } from '../../parts/text/chain-name.ts';
import { coinText } from '../../parts/text/usd-text.ts';

type RaiseCapProps = {
  readonly decision: DecisionItem;
  /** What is shown where the cap is not one in wei of the default policy. */
  readonly otherwise: ReactNode;
};

/** Raises the cap on one operation with one click, to twice what the refused operation can cost. */
export function RaiseCap({ decision, otherwise }: RaiseCapProps) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const policy = useQuery(policyQuery(paymaster));
  const raise = useMutation({
    mutationFn: async (wei: string) => {
      const headers = headersOf(paymaster);
      const { etag, ...current } = await routes.policy.read({ headers });
      const maxCostPerOperation = { ...current.maxCostPerOperation, wei };
      await routes.policy.set({ headers: { ...headers, ...ifMatch(etag) }, body: { ...current, maxCostPerOperation } });
    },
    onSuccess: () => client.invalidateQueries(policyQuery(paymaster)),
  });
  const cap = policy.data?.maxCostPerOperation;
  const cost = decision.facts?.worstCase;
  if (policy.isPending) return null;
  if (decision.policyId !== undefined || cost === undefined || cap?.wei === undefined) return otherwise;
  const isRaised = BigInt(cap.wei) >= BigInt(cost);
  const suggested = suggestCap(BigInt(cost)).toString();
  const nameOf = (wei: string) => amountOfCoin(coinText(wei), paymaster.chainId);
  return (
    <div className="stack">
      {isRaised ? null : (
        <div>
          <Button kind="primary" needs={['manage']} isPending={raise.isPending} onPress={() => raise.mutate(suggested)}>
            Sponsor operations of up to {nameOf(suggested)}
          </Button>
        </div>
      )}
      <div role="status">
        {isRaised ? <Notice kind="good">The policy now sponsors operations of up to {nameOf(cap.wei)}.</Notice> : null}
      </div>
      <Problem error={raise.error} />
    </div>
  );
}

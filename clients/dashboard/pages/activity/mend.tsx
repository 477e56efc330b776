import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DecisionItem, MendItem } from '@tollfree/contract/decision-fields';
import { bodyOf } from '../../api/body-of.ts';
import { contractsQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { findMissingMethods, type MissingMethod } from './find-missing-methods.ts';
import { mendOf } from './mend-of.ts';
import { pageThatMends } from './page-that-mends.ts';

/** What can be done about a refusal from here: a method added at once, or the page where it is done. */
export function Mend({ decision }: { readonly decision: DecisionItem }) {
  const mend = mendOf(decision);
  if (mend === undefined) return null;
  return mend.action === 'whitelist-method' ? (
    <MissingMethods decision={decision} mend={mend} />
  ) : (
    <MendLink mend={mend} />
  );
}

function MendLink({ mend }: { readonly mend: MendItem }) {
  const { paymasterId } = usePaymaster();
  const page = pageThatMends(mend);
  return (
    <p>
      <Link to={page.to} params={{ paymasterId }} className="button primary">
        {page.text}
      </Link>
    </p>
  );
}

function MissingMethods({ decision, mend }: { readonly decision: DecisionItem; readonly mend: MendItem }) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const contracts = useQuery(contractsQuery(paymaster));
  const add = useMutation({
    mutationFn: ({ contract: { address, whitelistedMethods }, method }: MissingMethod) =>
      bodyOf(
        routes.smartContract.update({
          headers: headersOf(paymaster),
          body: { address, whitelistedMethods: [...whitelistedMethods, method.signature] },
        }),
      ),
    onSettled: () => client.invalidateQueries(contractsQuery(paymaster)),
  });
  const missing = findMissingMethods(decision, contracts.data ?? []);
  return (
    <div className="stack">
      {missing.map((each) => (
        <div key={`${each.contract.address} ${each.method.signature}`}>
          <Button kind="primary" needs={['manage']} isPending={add.isPending} onPress={() => add.mutate(each)}>
            Sponsor {each.method.name} of {each.contract.name}
          </Button>
        </div>
      ))}
      <div role="status">
        {add.isSuccess ? (
          <Notice kind="good">Done. This method is no longer a reason to refuse the same request.</Notice>
        ) : null}
      </div>
      <Problem error={add.error} />
      {contracts.isSuccess && missing.length === 0 && !add.isSuccess ? <MendLink mend={mend} /> : null}
    </div>
  );
}

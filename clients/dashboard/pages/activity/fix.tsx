import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DecisionItem, FixItem } from '@tollfree/contract/decision-fields';
import { bodyOf } from '../../api/body-of.ts';
import { contractsQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { findMissingMethods, type MissingMethod } from './find-missing-methods.ts';
import { fixOf } from './fix-of.ts';
import { pageThatFixes } from './page-that-fixes.ts';

/** What can be done about a refusal from here: a method added at once, or the page where it is done. */
export function Fix({ decision }: { readonly decision: DecisionItem }) {
  const fix = fixOf(decision);
  if (fix === undefined) return null;
  return fix.action === 'whitelist-method' ? <MissingMethods decision={decision} fix={fix} /> : <FixLink fix={fix} />;
}

function FixLink({ fix }: { readonly fix: FixItem }) {
  const { paymasterId } = usePaymaster();
  const page = pageThatFixes(fix);
  return (
    <p>
      <Link to={page.to} params={{ paymasterId }} className="button primary">
        {page.text}
      </Link>
    </p>
  );
}

function MissingMethods({ decision, fix }: { readonly decision: DecisionItem; readonly fix: FixItem }) {
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
      {contracts.isSuccess && missing.length === 0 && !add.isSuccess ? <FixLink fix={fix} /> : null}
    </div>
  );
}

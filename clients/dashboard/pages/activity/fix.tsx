import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { FixAction, FixItem } from '@tollfree/contract/fix';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { lazy, Suspense } from 'react';
import { isWhitelisted, type Method, readAbi } from '../../abi/read-abi.ts';
import { contractsQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch } from '../../api/use-save.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { labelOf } from '../policy/field-names.ts';
import { RaiseCap } from './raise-cap.tsx';

/** Loaded when it is needed: its form is more than the rest of the page. */
const MissingContract = lazy(async () => ({ default: (await import('./missing-contract.tsx')).MissingContract }));

/** The path of a page of the paymaster. */
const of = <const Page extends string>(page: Page) => `/paymasters/$paymasterId/${page}` as const;

const apiKeys = { to: of('api-keys'), text: 'Go to the API keys' } as const;

/** The page on which to fix a refusal, and the step there. Undefined if only the operator can. */
const pagesThatFix = {
  'register-contract': { to: of('contracts'), text: 'Register a contract' },
  'whitelist-method': { to: of('contracts'), text: 'Go to the contracts' },
  'change-policy': { to: of('policy'), text: 'Go to the policy' },
  'look-at-policies': { to: of('policies'), text: 'Go to the named policies' },
  'look-at-webhook': { to: of('webhooks'), text: 'Go to the webhooks' },
  deposit: { to: of('gas-tank'), text: 'Deposit into the gas tank' },
  'resume-paymaster': { to: of('settings'), text: 'Go to the settings' },
  'create-paymaster': { to: '/paymasters', text: 'Go to the paymasters' },
  'enable-key': apiKeys,
  'change-key-origins': apiKeys,
  'change-key-networks': apiKeys,
  'change-key-methods': apiKeys,
  'change-key-rate': apiKeys,
  'change-key-limits': apiKeys,
  'change-budget': { to: '/budgets', text: 'Go to the budgets' },
  'look-at-ticket-keys': { to: of('tickets'), text: 'Go to the ticket keys' },
  'look-at-status': undefined,
} as const satisfies Record<FixAction, { readonly to: string; readonly text: string } | undefined>;

/** The fix for a refusal: whitelisting a method, registering a contract or raising a cap here, or a link to the right page. */
export function Fix({ decision }: { readonly decision: DecisionItem }) {
  const fix = fixOf(decision);
  if (fix === undefined) return null;
  if (fix.action === 'register-contract' && fix.target !== undefined) {
    return (
      <Suspense fallback={null}>
        <MissingContract address={fix.target} />
      </Suspense>
    );
  }
  if (fix.policyField === 'maxCostPerOperation') {
    return <RaiseCap decision={decision} otherwise={<FixLink fix={fix} />} />;
  }
  return fix.action === 'whitelist-method' ? <MissingMethods decision={decision} fix={fix} /> : <FixLink fix={fix} />;
}

function FixLink({ fix }: { readonly fix: FixItem }) {
  const { paymasterId } = usePaymaster();
  const page = pagesThatFix[fix.action];
  if (page === undefined) return null;
  const field = fix.policyField === undefined ? undefined : labelOf(fix.policyField);
  return (
    <p>
      <Link to={page.to} params={{ paymasterId }} className="button primary">
        {field === undefined ? page.text : `Change “${field}” in the policy`}
      </Link>
    </p>
  );
}

function MissingMethods({ decision, fix }: { readonly decision: DecisionItem; readonly fix: FixItem }) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const contracts = useQuery(contractsQuery(paymaster));
  const add = useMutation({
    mutationFn: async ({ contract, method }: MissingMethod) => {
      // Added to what is sponsored by now, which someone else may have changed since the page was opened.
      const listed = await client.fetchQuery({ ...contractsQuery(paymaster), staleTime: 0 });
      const { address, whitelistedMethods, etag } =
        listed.find((each) => each.address === contract.address) ?? contract;
      if (isWhitelisted(whitelistedMethods, method)) return;
      await routes.smartContract.update({
        headers: { ...headersOf(paymaster), ...ifMatch(etag) },
        body: { address, whitelistedMethods: [...whitelistedMethods, method.signature] },
      });
    },
  });
  const all = findMissingMethods(decision, contracts.data ?? []);
  const missing = all.filter(({ method }) => method.whyNot === undefined);
  const never = all.filter(({ method }) => method.whyNot !== undefined);
  return (
    <div className="stack">
      {missing.map((each) => (
        <div key={`${each.contract.address} ${each.method.signature}`}>
          <Button kind="primary" needs={['manage']} isPending={add.isPending} onPress={() => add.mutate(each)}>
            Sponsor {each.method.name} of {each.contract.name}
          </Button>
        </div>
      ))}
      {never.map(({ contract, method }) => (
        <p key={`${contract.address} ${method.signature}`}>
          {method.name} of {contract.name} cannot be sponsored. {method.whyNot} Leave the call out of the operation.
        </p>
      ))}
      <div role="status">
        {add.isSuccess ? (
          <Notice kind="good">Done. This method is no longer a reason to refuse the same request.</Notice>
        ) : null}
      </div>
      <Problem error={add.error} />
      {contracts.isSuccess && all.length === 0 && !add.isSuccess ? <FixLink fix={fix} /> : null}
    </div>
  );
}

type MissingMethod = { readonly contract: SmartContractItem; readonly method: Method };

/**
 * Methods in a decision's calls to registered contracts that do not whitelist them: the refused one, and those that would be
 * refused next. Also view methods, which cannot be whitelisted.
 */
function findMissingMethods(decision: DecisionItem, contracts: readonly SmartContractItem[]): readonly MissingMethod[] {
  const calls = decision.facts?.calls ?? [];
  return contracts.flatMap((contract) => {
    const read = readAbi(contract.abi);
    const selectors = new Set(calls.flatMap((call) => (isSame(call.target, contract.address) ? call.selector : [])));
    return (read.ok ? read.methods : [])
      .filter((method) => selectors.has(method.selector))
      .filter((method) => !isWhitelisted(contract.whitelistedMethods, method))
      .map((method) => ({ contract, method }));
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The service's suggested fix; undefined for older decisions, and if there is none. */
function fixOf({ trace }: DecisionItem): FixItem | undefined {
  return trace.find(({ verdict }) => verdict === 'refused')?.fix;
}

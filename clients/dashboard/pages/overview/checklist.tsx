import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { OverviewTank } from '@tollfree/contract/overview';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { PolicyItem } from '@tollfree/contract/policy';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { contractsQuery, policyQuery } from '../../api/of-paymaster.ts';
import { Placeholder } from '../../parts/loaded.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useCurrentPaymaster } from '../../parts/use-current-paymaster.ts';
import { LimitDayButton } from './limit-day-button.tsx';
import { orderSetUps } from './order-set-ups.ts';
import type { PaymasterOverview } from './use-overview.ts';

type ChecklistProps = {
  readonly paymaster: PaymasterItem;
  readonly tank: OverviewTank;
  readonly hasSigned: boolean;
  /** Whether the activity has anything to show. */
  readonly hasActivity: boolean;
  /** The suggested limit in USD while nothing bounds what all senders together can spend. */
  readonly suggestedDailyUsd: string | undefined;
  readonly isOpen: boolean;
};

/** The steps to the first sponsored operation, with progress read from the service. A slim bar that unfolds. */
export function Checklist({ paymaster, tank, hasSigned, hasActivity, suggestedDailyUsd, isOpen }: ChecklistProps) {
  const contracts = useQuery(contractsQuery(paymaster));
  const policy = useQuery(policyQuery(paymaster));
  const error = contracts.error ?? policy.error;
  if (error) return <Problem error={error} />;
  const known = { tank, hasSigned, hasActivity, suggestedDailyUsd };
  if (!contracts.data || !policy.data) {
    return (
      <Placeholder>
        <StepList paymaster={paymaster} steps={listSteps({ ...known, contracts: [] })} isOpen={isOpen} />
      </Placeholder>
    );
  }
  const steps = listSteps({ ...known, contracts: contracts.data, policy: policy.data });
  return steps.every(({ isDone }) => isDone) ? null : <StepList paymaster={paymaster} steps={steps} isOpen={isOpen} />;
}

type StepListProps = Pick<ChecklistProps, 'paymaster' | 'isOpen'> & { readonly steps: readonly Step[] };

function StepList({ paymaster, steps, isOpen }: StepListProps) {
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <details className="fold" open={isOpen}>
      <summary>
        <h2>Set up {paymaster.name}</h2>
        <span className="muted">
          {steps.filter(({ isDone }) => isDone).length} of {steps.length} done. Next: {next?.title.toLowerCase()}
        </span>
      </summary>
      <div className="stack">
        <ol className="list steps">
          {steps.map((step, index) => (
            <li key={step.title} aria-current={step === next ? 'step' : undefined}>
              <span className={markOf(step)} aria-hidden="true">
                {step.isDone ? '✓' : index + 1}
              </span>
              <div>
                <h3>
                  {step.title}
                  <span className="only-read">{step.isDone ? ' (done)' : ' (to do)'}</span>
                </h3>
                <p className="muted">{step.text}</p>
              </div>
              {step.to === undefined || step.isDone ? null : (
                <div className="stack">
                  {step.dailyUsd === undefined ? null : (
                    <LimitDayButton
                      paymaster={paymaster}
                      dailyUsd={step.dailyUsd}
                      kind={step === next ? 'primary' : 'plain'}
                    />
                  )}
                  <Link
                    to={step.to}
                    params={{ paymasterId: paymaster.paymasterId }}
                    className={step === next && step.dailyUsd === undefined ? 'button primary' : 'button'}
                  >
                    {step.action}
                  </Link>
                </div>
              )}
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}

function markOf({ isDone, isWarning }: Step): string {
  if (isDone) return 'step-mark done';
  return isWarning === true ? 'step-mark warn' : 'step-mark';
}

type Step = {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  /** Until it is done, anyone can spend the tank. */
  readonly isWarning?: boolean;
  /** A limit in USD that does the step at once. */
  readonly dailyUsd?: string;
  readonly to?:
    | '/paymasters/$paymasterId'
    | '/paymasters/$paymasterId/contracts'
    | '/paymasters/$paymasterId/policy'
    | '/paymasters/$paymasterId/policies'
    | '/paymasters/$paymasterId/gas-tank'
    | '/paymasters/$paymasterId/activity';
  readonly action?: string;
};

/** The steps to a first sponsored operation; the service's data shows which are done. */
function listSteps(state: {
  readonly contracts: readonly SmartContractItem[];
  /** Undefined while it is loading. */
  readonly policy?: PolicyItem;
  readonly tank: OverviewTank;
  /** Whether it has ever signed anything. */
  readonly hasSigned: boolean;
  readonly hasActivity: boolean;
  readonly suggestedDailyUsd: string | undefined;
}): readonly Step[] {
  const { contracts, policy, tank, hasSigned, hasActivity, suggestedDailyUsd } = state;
  const hasTotal = policy?.limits.some(({ per, contract }) => per === 'TOTAL' && contract === undefined) === true;
  // Until both are read: what was signed was sponsored.
  const mayCall = contracts.some(({ whitelistedMethods }) => whitelistedMethods.length > 0);
  return [
    { title: 'Create a paymaster', text: 'It has its own API key and RPC URL.', isDone: true },
    {
      title: 'Choose what to sponsor',
      text: 'Register a contract and choose its methods. All other calls are refused.',
      isDone: mayCall || (policy?.sponsorAllCalls ?? hasSigned),
      to: '/paymasters/$paymasterId/contracts',
      action: 'Register a contract',
    },
    {
      title: 'Bound what strangers can spend',
      text: 'Everyone who uses your app has its URL, and can make any number of senders. Limit the total per day, in USD.',
      isDone: suggestedDailyUsd === undefined,
      isWarning: true,
      // A default policy with a limit leaves a named policy without one.
      ...(hasTotal ? {} : omitAbsent({ dailyUsd: suggestedDailyUsd })),
      to: hasTotal ? '/paymasters/$paymasterId/policies' : '/paymasters/$paymasterId/policy',
      action: hasTotal ? 'Limit the named policies' : 'Choose another limit',
    },
    {
      title: 'Set the funding wallet',
      text: 'The wallet signs a message to prove that it is yours. It fills the tank.',
      isDone: tank.fundingWallet !== undefined,
      to: '/paymasters/$paymasterId/gas-tank',
      action: 'Set the wallet',
    },
    {
      title: 'Fill the gas tank',
      text: 'The tank’s balance is the most that can be spent.',
      isDone: tank.funded !== '0',
      to: '/paymasters/$paymasterId/gas-tank',
      action: 'Deposit',
    },
    {
      title: 'Send a request',
      text: 'Put the RPC URL into your application, or use the code on the page Connect.',
      isDone: hasSigned,
      to: '/paymasters/$paymasterId',
      action: 'Get the code',
    },
    {
      title: 'See the operation land',
      isDone: tank.settled !== '0',
      ...(hasActivity
        ? {
            text: 'Once a signed operation has landed, its cost is settled in the tank.',
            to: '/paymasters/$paymasterId/activity',
            action: 'See the activity',
          }
        : {
            text: 'The activity lists each request, whether it landed, and what it cost. The first one is missing.',
            to: '/paymasters/$paymasterId',
            action: 'Connect your app',
          }),
    },
  ];
}

/** Most checklists shown at once. */
const most = 3;

/** The remaining steps until a first operation lands: of the menu's paymaster, then of the newest. Hidden once one has. */
export function SetUp({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const current = useCurrentPaymaster();
  const open = rows.flatMap(({ tank, ...row }) => (tank?.settled === '0' ? [{ ...row, tank }] : []));
  return orderSetUps(open, current?.paymasterId)
    .slice(0, most)
    .map(({ paymaster, tank, days, recent, suggestedDailyUsd }) => (
      <Checklist
        key={paymaster.paymasterId}
        paymaster={paymaster}
        tank={tank}
        hasSigned={days.some(({ signed }) => signed > 0)}
        hasActivity={recent.length > 0}
        suggestedDailyUsd={suggestedDailyUsd}
        isOpen={rows.length === 1}
      />
    ));
}

import { useMutation, useQuery } from '@tanstack/react-query';
import type { BudgetItem } from '@tollfree/contract/budget';
import { budgetsQuery, paymastersQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { ifMatch } from '../../api/use-save.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Usd } from '../../parts/usd.tsx';
import { BudgetForm } from './budget-form.tsx';

const windows = { DAY: 'in a day', WEEK: 'in a week', MONTH: 'in a month', EVER: 'ever' } as const;

/** The account's budgets with their use, and buttons to delete them. */
export function BudgetList() {
  const budgets = useQuery(budgetsQuery);
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const remove = useMutation({
    mutationFn: ({ budgetId, etag }: BudgetItem) =>
      routes.budget.delete({ headers: ifMatch(etag), params: { budgetId } }),
  });
  const namesOf = ({ paymasterIds }: BudgetItem) =>
    paymasterIds?.map((id) => paymasters.find(({ paymasterId }) => paymasterId === id)?.name ?? id).join(', ') ?? 'All';
  return (
    <Loaded query={budgets}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="No budgets yet.">
            Only the limits of each paymaster’s policy apply. For example: “all chains”, $250.00 in a month for all
            paymasters together, including future ones.
          </Empty>
        ) : (
          <>
            <Problem error={remove.error} />
            <DataTable
              caption="Budgets"
              rows={list}
              keyOf={({ budgetId }) => budgetId}
              columns={[
                { title: 'Name', cell: ({ name }) => name },
                { title: 'Paymasters', cell: namesOf },
                { title: 'Used', cell: (budget) => <Used budget={budget} /> },
                {
                  title: 'Resets',
                  cell: ({ until }) => (until === undefined ? 'Never' : <Moment at={until} />),
                },
                {
                  title: 'Action',
                  cell: (budget) => {
                    const { name } = budget;
                    return (
                      <div className="actions">
                        <PanelButton
                          text="Edit"
                          label={`Edit ${name}`}
                          needs={['manage']}
                          title="Edit budget"
                          lead="What was used stays counted, unless you change the period or the paymasters."
                        >
                          {(close) => <BudgetForm budget={budget} onDone={close} />}
                        </PanelButton>
                        <ConfirmButton
                          text="Delete"
                          needs={['manage']}
                          label={`Delete ${name}`}
                          title={`Delete “${name}”?`}
                          confirm="Delete budget"
                          isPending={remove.isPending}
                          onConfirm={() => remove.mutate(budget)}
                        >
                          Its paymasters can then sponsor whatever their own policies allow. A budget created later
                          begins at zero.
                        </ConfirmButton>
                      </div>
                    );
                  },
                },
              ]}
            />
          </>
        )
      }
    </Loaded>
  );
}

function Used({ budget: { usedUsd, maxUsd, window } }: { readonly budget: BudgetItem }) {
  return (
    <div>
      <Usd text={usedUsd} /> of <Usd text={maxUsd} /> {windows[window]}
      <div className={Number(usedUsd) >= Number(maxUsd) ? 'meter bad' : 'meter'} aria-hidden="true">
        <span
          style={{ width: `${Number(maxUsd) === 0 ? 100 : Math.min(100, (Number(usedUsd) / Number(maxUsd)) * 100)}%` }}
        />
      </div>
      {Number(usedUsd) >= Number(maxUsd) ? (
        <div>
          <Badge kind="bad">Used up</Badge>
        </div>
      ) : null}
    </div>
  );
}

import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { BudgetForm } from './budget-form.tsx';
import { BudgetList } from './budget-list.tsx';

/** What several paymasters may spend together. */
export function BudgetsPage() {
  return (
    <Page
      title="Budgets"
      lead="Limits in USD for several paymasters together, across chains."
      doc="budgets"
      actions={
        <PanelButton
          text="New budget"
          kind="primary"
          needs={['manage']}
          title="New budget"
          lead="It counts from now. Operations sponsored earlier do not count."
        >
          {(close) => <BudgetForm onDone={close} />}
        </PanelButton>
      }
    >
      <Card
        title="Shared limits"
        lead="While a budget is used up, its paymasters sponsor nothing. The policy of each paymaster applies as well."
      >
        <BudgetList />
      </Card>
    </Page>
  );
}

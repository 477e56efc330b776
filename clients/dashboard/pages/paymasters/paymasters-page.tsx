import { useQuery } from '@tanstack/react-query';
import { paymastersQuery } from '../../api/of-account.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { PauseAll, ResumeTogether } from './pause-all.tsx';
import { PaymasterForm } from './paymaster-form.tsx';
import { PaymasterList } from './paymaster-list.tsx';

/** The account's paymasters with their state and use, and a form for another one. */
export function PaymastersPage() {
  const paymasters = useQuery(paymastersQuery);
  return (
    <Page
      title="Paymasters"
      lead="A paymaster sponsors the gas of one application on one chain, by your rules."
      actions={
        <>
          <PauseAll paymasters={paymasters.data ?? []} />
          <PanelButton text="New paymaster" kind="primary" needs={['manage']} title="New paymaster">
            {() => <PaymasterForm />}
          </PanelButton>
        </>
      }
    >
      <ResumeTogether paymasters={paymasters.data ?? []} />
      <Card title="Your paymasters" lead="Bars: what you paid in the last 30 days, then what users paid.">
        <Loaded query={paymasters}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No paymasters yet.">
                Create the first one: it needs a name and a chain. Its page then leads you to the first operation.
              </Empty>
            ) : (
              <PaymasterList paymasters={list} />
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

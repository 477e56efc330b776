import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paymastersQuery } from '../../api/of-account.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { chainName } from '../../parts/text/chain-name.ts';
import { MaskedValue } from '../../parts/value.tsx';
import { PauseAll, ResumeTogether } from './pause-all.tsx';
import { PaymasterBadge } from './paymaster-badge.tsx';
import { PaymasterForm } from './paymaster-form.tsx';

/** The account's paymasters by chain, and a form for another one. */
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
      <Card title="Your paymasters">
        <Loaded query={paymasters}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No paymasters yet.">Create the first one. It needs a name and a chain.</Empty>
            ) : (
              <DataTable
                caption="Paymasters"
                rows={list.toSorted((one, other) => one.chainId - other.chainId || one.name.localeCompare(other.name))}
                keyOf={({ paymasterId }) => paymasterId}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ name, paymasterId }) => (
                      <Link to="/paymasters/$paymasterId" params={{ paymasterId }}>
                        {name}
                      </Link>
                    ),
                  },
                  { title: 'State', cell: (paymaster) => <PaymasterBadge paymaster={paymaster} /> },
                  { title: 'Chain', cell: ({ chainId }) => chainName(chainId) },
                  {
                    title: 'Version',
                    cell: ({ version, contract }) => (
                      <div>
                        {version}
                        <div className="small muted">
                          {contract === undefined ? 'no longer served' : `EntryPoint ${contract.entryPointVersion}`}
                        </div>
                      </div>
                    ),
                  },
                  { title: 'API key', cell: ({ apiKey }) => <MaskedValue text={apiKey} what="API key" /> },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

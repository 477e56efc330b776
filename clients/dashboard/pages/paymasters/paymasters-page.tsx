import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { paymastersQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { chainName } from '../../parts/text/chain-name.ts';
import { MaskedValue } from '../../parts/value.tsx';
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
          <PauseAll paymasters={(paymasters.data ?? []).filter(isRunning)} />
          <PanelButton text="New paymaster" kind="primary" needs={['manage']} title="New paymaster">
            {() => <PaymasterForm />}
          </PanelButton>
        </>
      }
    >
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

function isRunning({ pausedAt, retiredAt }: PaymasterItem): boolean {
  return pausedAt === undefined && retiredAt === undefined;
}

/** Pauses all paymasters of the account. Hidden where that is one click on its own page. */
function PauseAll({ paymasters }: { readonly paymasters: readonly PaymasterItem[] }) {
  const pause = useMutation({
    mutationFn: async () => {
      const results = await Promise.allSettled(
        paymasters.map(({ paymasterId }) =>
          routes.paymaster.update({ headers: {}, params: { paymasterId }, body: { paused: true } }),
        ),
      );
      const failed = paymasters.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
      if (failed.length > 0) throw new Error(`These go on sponsoring: ${failed.join(', ')}. Pause them again`);
    },
  });
  if (paymasters.length < 2) return <Problem error={pause.error} />;
  return (
    <div>
      <ConfirmButton
        text="Pause all"
        needs={['manage']}
        title={`Pause all ${paymasters.length} paymasters?`}
        confirm="Pause all"
        isPending={pause.isPending}
        onConfirm={() => pause.mutate()}
      >
        Every request to any of them is refused from now on. Operations that are already signed can still land and are
        paid. You resume each on its page Settings.
      </ConfirmButton>
      <Problem error={pause.error} />
    </div>
  );
}

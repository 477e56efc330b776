import { useQuery } from '@tanstack/react-query';
import type { OperatorStatus } from '@tollfree/contract/operator';
import { live } from '../../api/live.ts';
import { operatorQuery } from '../../api/of-account.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Live, Loaded } from '../../parts/loaded.tsx';
import { Age } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Notice } from '../../parts/problem.tsx';
import { counted } from '../../parts/text/counted.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { Short, Value } from '../../parts/value.tsx';
import { ChainCards } from './chain-cards.tsx';

/** The service overview for its operator: problems first, then each chain, the accounts and the limits. */
export function OperatorPage() {
  const query = useQuery({ ...operatorQuery, refetchInterval: live(8), retry: false });
  return (
    <Page
      title="Operator"
      lead="The state of this service. Only owners of the operator’s accounts see it."
      doc="operator"
      actions={<Live query={query} />}
    >
      <Loaded query={query}>
        {(status) => (
          <>
            <Problems status={status} />
            {status.chains.map((chain) => (
              <ChainCards key={chain.chainId} chain={chain} />
            ))}
            {status.accounts === undefined ? null : <AccountsCard accounts={status.accounts} />}
            <ServiceCard status={status} />
            <Limits limits={status.limits ?? {}} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Problems({ status: { problems, ready } }: { readonly status: OperatorStatus }) {
  if (problems.length === 0) {
    return (
      <Notice kind={ready ? 'good' : 'warn'}>
        <strong>{ready ? 'Everything works.' : 'The service is starting or stopping.'}</strong>
      </Notice>
    );
  }
  return (
    <Notice kind="bad">
      <h2>{counted(problems.length, 'problem')}</h2>
      <ul className="list">
        {problems.map(({ what, remedy }) => (
          <li key={what}>
            <strong>{what}</strong>
            <p>{remedy}</p>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const signUps = { open: 'Everyone', invited: 'Invited wallets', closed: 'No one' } as const;

function ServiceCard({ status }: { readonly status: OperatorStatus }) {
  const { parts, builds, database, notificationsPending, signUp } = status;
  return (
    <Card title="Service">
      <DataTable
        caption="Programs"
        layout="numbers"
        rows={builds}
        keyOf={({ process, version, commit }) => `${process} ${version} ${commit}`}
        columns={[
          { title: 'Process', cell: ({ process }) => process },
          { title: 'Version', isNumber: true, cell: ({ version }) => version },
          { title: 'Commit', isNumber: true, cell: ({ commit }) => <code>{commit.slice(0, 12)}</code> },
          { title: 'Schema', isNumber: true, cell: ({ schema }) => schema },
          { title: 'Node.js', isNumber: true, cell: ({ node }) => node },
        ]}
      />
      <Facts
        layout="short"
        facts={[
          database.bytes === undefined ? undefined : ['Database', bytesText(database.bytes)],
          database.freeBytes === undefined ? undefined : ['Free on its disk', bytesText(database.freeBytes)],
          notificationsPending === undefined ? undefined : ['Notifications to deliver', String(notificationsPending)],
          signUp === undefined ? undefined : ['Who can sign up', signUps[signUp]],
        ]}
      />
      <details>
        <summary>
          {parts.filter(({ ready }) => ready).length} of {parts.length} parts ready
        </summary>
        <div className="details-body">
          <DataTable
            caption="Parts"
            layout="numbers"
            rows={parts}
            keyOf={({ part }) => part}
            columns={[
              { title: 'Part', cell: ({ part }) => part },
              {
                title: 'State',
                cell: ({ ready }) => <Badge kind={ready ? 'good' : 'bad'}>{ready ? 'Ready' : 'Not ready'}</Badge>,
              },
              { title: 'Detail', cell: ({ detail }) => detail },
            ]}
          />
        </div>
      </details>
    </Card>
  );
}

function Limits({ limits }: { readonly limits: Readonly<Record<string, number>> }) {
  return (
    <details className="fold">
      <summary>
        <h3>Limits</h3>
        <span className="muted">What this gateway accepts</span>
      </summary>
      <div className="stack">
        <Facts
          layout="short"
          facts={Object.entries(limits).map(([name, value]) => [name, value.toLocaleString(locale)])}
        />
      </div>
    </details>
  );
}

function bytesText(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return mebibytes >= 1_024 ? `${(mebibytes / 1_024).toFixed(1)} GiB` : `${Math.ceil(mebibytes)} MiB`;
}

type Account = NonNullable<OperatorStatus['accounts']>[number];

/** Who uses the service. */
function AccountsCard({ accounts }: { readonly accounts: readonly Account[] }) {
  return (
    <Card title="Accounts" lead="The newest ones. “tollfree account list” lists all.">
      <DataTable
        caption="Accounts"
        layout="numbers"
        rows={accounts}
        keyOf={({ accountId }) => accountId}
        columns={[
          {
            title: 'Name',
            cell: ({ name, wallet }) => (
              <div>
                {name}
                {wallet === undefined ? null : (
                  <span className="under">
                    <Short hex={wallet} />
                  </span>
                )}
              </div>
            ),
          },
          { title: 'State', cell: (account) => <State account={account} /> },
          { title: 'Account id', cell: ({ accountId }) => <Value text={accountId} what="account id" /> },
          { title: 'Created', isNumber: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
      />
    </Card>
  );
}

function State({ account: { suspendedAt, invited } }: { readonly account: Account }) {
  if (suspendedAt !== undefined) return <Badge kind="bad">Suspended</Badge>;
  return invited === true ? <Badge>Invited</Badge> : <Badge kind="good">Active</Badge>;
}

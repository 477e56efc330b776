import type { OperatorStatus } from '@tollfree/contract/operator';
import { Age } from '../../parts/age.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Short } from '../../parts/short.tsx';
import { Value } from '../../parts/value.tsx';

type Account = NonNullable<OperatorStatus['accounts']>[number];

/** Who uses the service. */
export function AccountsCard({ accounts }: { readonly accounts: readonly Account[] }) {
  return (
    <Card title="Accounts" lead="The newest ones. “tollfree account list” lists all.">
      <DataTable
        caption="Accounts"
        rows={accounts}
        keyOf={({ accountId }) => accountId}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'State', cell: (account) => <State account={account} /> },
          { title: 'Wallet', cell: ({ wallet }) => (wallet === undefined ? '–' : <Short hex={wallet} />) },
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

import type { OperatorStatus } from '@tollfree/contract/operator';
import { Age } from '../../parts/age.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Short } from '../../parts/short.tsx';
import { Value } from '../../parts/value.tsx';

type Accounts = NonNullable<OperatorStatus['accounts']>;
type Account = Accounts['newest'][number];

/** Who uses the service. */
export function AccountsCard({ accounts: { active, invited, suspended, newest } }: { readonly accounts: Accounts }) {
  const all = active + invited + suspended;
  return (
    <Card
      title="Accounts"
      lead={`${active.toLocaleString('en')} active, ${invited.toLocaleString('en')} invited, ${suspended.toLocaleString('en')} suspended.${
        all > newest.length ? ` The newest ${newest.length} are listed.` : ''
      }`}
    >
      <DataTable
        caption="Accounts"
        rows={newest}
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

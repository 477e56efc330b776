import { useQuery } from '@tanstack/react-query';
import { accountsQuery } from '../../api/accounts.ts';
import { sessionQuery } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Value } from '../../parts/value.tsx';
import { useGoToAccount } from './use-go-to-account.ts';

/** The accounts of the signed-in wallet, each with a button to switch to it. */
export function AccountList() {
  const accounts = useQuery(accountsQuery);
  const { data: session } = useQuery(sessionQuery);
  const change = useGoToAccount();
  return (
    <Loaded query={accounts}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="You signed in with an authToken.">
            It works only for this account. Sign in with a wallet to see its accounts.
          </Empty>
        ) : (
          <>
            <DataTable
              caption="Your accounts"
              rows={list}
              keyOf={({ accountId }) => accountId}
              columns={[
                { title: 'Name', cell: ({ name }) => name },
                { title: 'Account id', cell: ({ accountId }) => <Value text={accountId} what="account id" /> },
                { title: 'Role', cell: ({ role }) => role },
                {
                  title: 'Action',
                  cell: ({ accountId, name, joinedAt }) =>
                    accountId === session?.accountId ? (
                      <Badge kind="good">This account</Badge>
                    ) : (
                      <Button
                        label={joinedAt === undefined ? `Join ${name}` : `Switch to ${name}`}
                        isPending={change.isPending}
                        onPress={() => change.mutate(accountId)}
                      >
                        {joinedAt === undefined ? 'Join' : 'Switch'}
                      </Button>
                    ),
                },
              ]}
            />
            <Problem error={change.error} />
          </>
        )
      }
    </Loaded>
  );
}

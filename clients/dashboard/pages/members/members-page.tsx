import { useQuery } from '@tanstack/react-query';
import { roles } from '@tollfree/contract/access/role';
import { scopes } from '@tollfree/contract/access/scope';
import { accountsQuery } from '../../api/of-account.ts';
import { sessionQuery } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Value } from '../../parts/value.tsx';
import { MemberForm } from './member-form.tsx';
import { MemberList, roleLabels, roleNames } from './member-list.tsx';
import { useGoToAccount } from './use-go-to-account.ts';

/** The account's members and their roles, and the other accounts of the current wallet. */
export function MembersPage() {
  return (
    <Page
      title="Members"
      lead="The wallets that sign in to this account, and their roles."
      doc="members"
      actions={
        <PanelButton
          text="Invite a wallet"
          kind="primary"
          needs={scopes}
          title="Invite a wallet"
          lead="Its owner signs in here. The wallet need not have been used here before."
        >
          {() => <MemberForm />}
        </PanelButton>
      }
    >
      <Card title="Who can sign in" lead={roles.map((role) => `${roleNames[role]}: ${roleLabels[role]}.`).join(' ')}>
        <MemberList />
      </Card>
      <Card
        title="Your accounts"
        lead="A wallet can be a member of several accounts. The dashboard shows one at a time."
      >
        <AccountList />
      </Card>
    </Page>
  );
}

/** The accounts of the signed-in wallet, each with a button to switch to it. */
function AccountList() {
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

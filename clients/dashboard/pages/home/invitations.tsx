import { useQuery } from '@tanstack/react-query';
import { accountsQuery } from '../../api/accounts.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useGoToAccount } from '../members/use-go-to-account.ts';

/** The accounts that have invited the wallet, until it joins them. */
export function Invitations() {
  const { data: accounts = [] } = useQuery(accountsQuery);
  const join = useGoToAccount();
  const invitations = accounts.filter(({ joinedAt }) => joinedAt === undefined);
  return (
    <>
      {invitations.map(({ accountId, name, role }) => (
        <Notice key={accountId}>
          <p>
            {name} invites you as {role}. This page shows another account.
          </p>
          <Button label={`Join ${name}`} isPending={join.isPending} onPress={() => join.mutate(accountId)}>
            Join
          </Button>
        </Notice>
      ))}
      <Problem error={join.error} />
    </>
  );
}

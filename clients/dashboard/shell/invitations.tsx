import { useQuery } from '@tanstack/react-query';
import { accountsQuery } from '../api/accounts.ts';
import { sessionQuery } from '../api/session.ts';
import { useGoToAccount } from '../pages/members/use-go-to-account.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';

/** Above all pages: the accounts that have invited the wallet, until it joins them. */
export function Invitations() {
  const { data: accounts = [] } = useQuery(accountsQuery);
  const { data: session } = useQuery(sessionQuery);
  const join = useGoToAccount();
  const invitations = accounts.filter(({ joinedAt }) => joinedAt === undefined);
  if (invitations.length === 0) return null;
  return (
    <div className="page">
      {invitations.map(({ accountId, name, role }) => (
        <div key={accountId} className="notice banner">
          <p>
            <strong>{name}</strong> invites you as {role}. You now see {session?.name ?? 'another account'}.
          </p>
          <Button
            kind="primary"
            label={`Join ${name}`}
            isPending={join.isPending}
            onPress={() => join.mutate(accountId)}
          >
            Join
          </Button>
        </div>
      ))}
      <Problem error={join.error} />
    </div>
  );
}

import { useMutation, useQuery } from '@tanstack/react-query';
import type { Scope } from '@tollfree/contract/access/scope';
import type { OpenSession } from '@tollfree/contract/sign-in/session';
import { authTokensQuery, membersQuery, sessionsQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { sessionQuery } from '../../api/session.ts';
import { scopesOfRole } from '../../api/why-not.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';

/** The account's sessions, and buttons to end them. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: current } = useQuery(sessionQuery);
  const own = current?.role === undefined ? undefined : current.wallet;
  /** Its scopes as far as known here: the service ends no session with more rights than the requesting one. */
  const scopesOf = ({ wallet, authTokenId }: OpenSession): readonly Scope[] => {
    const role = members.find((member) => member.wallet === wallet)?.role;
    if (role !== undefined) return scopesOfRole[role];
    return tokens.find((token) => token.authTokenId === authTokenId)?.scopes ?? [];
  };
  const revoke = useMutation({
    mutationFn: (sessionId: string) => routes.session.revoke({ headers: {}, params: { sessionId } }),
  });
  const revokeAll = useMutation({
    mutationFn: () => routes.session.revokeAll({ headers: {} }),
  });
  return (
    <div className="stack">
      <Loaded query={sessions}>
        {(list) => (
          <DataTable
            caption="Sessions"
            rows={list}
            keyOf={({ sessionId }) => sessionId}
            columns={[
              {
                title: 'Method',
                cell: (session) => beganWith(session).replace(/^\w/, (letter) => letter.toUpperCase()),
              },
              { title: 'Opened', cell: ({ createdAt }) => <Moment at={createdAt} /> },
              { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
              { title: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
              {
                title: 'Action',
                cell: (session) =>
                  session.isCurrent ? (
                    <Badge kind="good">This session</Badge>
                  ) : (
                    <ConfirmButton
                      text="End"
                      needs={session.wallet === own ? ['manage'] : ['manage', ...scopesOf(session)]}
                      label={`End the session with ${beganWith(session)}`}
                      title="End this session?"
                      confirm="End session"
                      isPending={revoke.isPending}
                      onConfirm={() => revoke.mutate(session.sessionId)}
                    >
                      The user has to sign in again. The wallet or authToken stays valid.
                    </ConfirmButton>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <Problem error={revoke.error ?? revokeAll.error} />
      <div className="actions">
        <ConfirmButton
          text="Sign out everywhere"
          title="Sign out everywhere?"
          needs={own === undefined ? ['manage'] : []}
          confirm="End all sessions"
          isPending={revokeAll.isPending}
          onConfirm={() => revokeAll.mutate()}
        >
          {current?.scopes.includes('manage') === true
            ? 'All sessions of this account with equal or fewer permissions end, including this one. authTokens stay valid.'
            : 'All your sessions of this account end, including this one.'}
        </ConfirmButton>
      </div>
    </div>
  );
}

function beganWith({ authTokenId, authTokenName }: OpenSession): string {
  return authTokenId === undefined ? 'a wallet' : `the authToken “${authTokenName ?? authTokenId}”`;
}

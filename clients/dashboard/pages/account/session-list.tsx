import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OpenSession } from '@tollfree/contract/sign-in/session';
import { bodyOf } from '../../api/body-of.ts';
import { routes } from '../../api/routes.ts';
import { sessionQuery } from '../../api/session.ts';
import { sessionsQuery } from '../../api/sessions.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';

/** Where somebody is signed in to the account, and the ways to end that. */
export function SessionList() {
  const client = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const onSettled = () =>
    Promise.all([client.invalidateQueries(sessionsQuery), client.invalidateQueries(sessionQuery)]);
  const revoke = useMutation({
    mutationFn: (sessionId: string) => bodyOf(routes.session.revoke({ headers: {}, params: { sessionId } })),
    onSettled,
  });
  const revokeAll = useMutation({
    mutationFn: () => bodyOf(routes.session.revokeAll({ headers: {} })),
    onSettled,
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
              { title: 'Opened', cell: ({ createdAt }) => <Moment at={createdAt} /> },
              { title: 'With', cell: beganWith },
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
                      label={`End the session with ${beganWith(session)}`}
                      title="End this session?"
                      confirm="End session"
                      isPending={revoke.isPending}
                      onConfirm={() => revoke.mutate(session.sessionId)}
                    >
                      Whoever uses it has to sign in again. What it began with still signs in.
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
          confirm="End all sessions"
          isPending={revokeAll.isPending}
          onConfirm={() => revokeAll.mutate()}
        >
          All sessions of this account end, this one too. authTokens stay as they are.
        </ConfirmButton>
      </div>
    </div>
  );
}

function beganWith({ authTokenId, authTokenName }: OpenSession): string {
  return authTokenId === undefined ? 'a wallet' : `the authToken “${authTokenName ?? authTokenId}”`;
}

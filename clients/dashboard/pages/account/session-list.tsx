import { useMutation, useQuery } from '@tanstack/react-query';
import type { MemberItem } from '@tollfree/contract/access/member';
import type { Scope } from '@tollfree/contract/access/scope';
import type { OpenSession } from '@tollfree/contract/sign-in/session';
import type { ReactNode } from 'react';
import { authTokensQuery, membersQuery, sessionsQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { sessionQuery } from '../../api/session.ts';
import { scopesOfRole } from '../../api/why-not.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Age, Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';
import { counted } from '../../parts/text/counted.ts';
import { shortHex } from '../../parts/value.tsx';
import { MemberName } from '../members/member-name.tsx';

/** As many other sessions are shown without being asked for. */
const maxUnfolded = 3;

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
          <SessionGroups list={list}>
            {(some, caption) => (
              <DataTable
                caption={caption}
                layout="lines"
                kindOf={() => 'session'}
                rows={some}
                keyOf={({ sessionId }) => sessionId}
                columns={[
                  {
                    title: 'Signed in with',
                    share: 34,
                    cell: (session) => <Method session={session} members={members} />,
                  },
                  { title: 'Opened', share: 20, cell: ({ createdAt }) => <Moment at={createdAt} /> },
                  { title: 'Ends', share: 20, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
                  { title: 'Last used', share: 12, isNumber: true, cell: ({ lastUsedAt }) => <Age at={lastUsedAt} /> },
                  {
                    title: 'Action',
                    share: 14,
                    isNumber: true,
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
          </SessionGroups>
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

type SessionGroupsProps = {
  readonly list: readonly OpenSession[];
  readonly children: (some: readonly OpenSession[], caption: string) => ReactNode;
};

/** The current session, and the others below it: folded if they are many. */
function SessionGroups({ list, children }: SessionGroupsProps) {
  const others = list.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      {children(
        list.filter(({ isCurrent }) => isCurrent),
        'This session',
      )}
      {others.length === 0 ? null : (
        <details open={others.length <= maxUnfolded}>
          <summary>
            {counted(others.length, 'other session')}, last used{' '}
            <Age at={Math.max(...others.map(({ lastUsedAt }) => lastUsedAt))} />
          </summary>
          <div className="details-body">{children(others, 'Other sessions')}</div>
        </details>
      )}
    </>
  );
}

type MethodProps = { readonly session: OpenSession; readonly members: readonly MemberItem[] };

function Method({ session: { wallet, authTokenId, authTokenName }, members }: MethodProps) {
  if (authTokenId !== undefined) return `authToken “${authTokenName ?? authTokenId}”`;
  if (wallet === undefined) return 'Wallet';
  const name = members.find((member) => member.wallet === wallet)?.name;
  return <MemberName member={name === undefined ? { wallet } : { name, wallet }} />;
}

function beganWith({ wallet, authTokenId, authTokenName }: OpenSession): string {
  if (authTokenId !== undefined) return `the authToken “${authTokenName ?? authTokenId}”`;
  return wallet === undefined ? 'a wallet' : `the wallet ${shortHex(wallet)}`;
}

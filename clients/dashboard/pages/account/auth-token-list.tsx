import { useMutation, useQuery } from '@tanstack/react-query';
import type { AuthTokenItem } from '@tollfree/contract/sign-in/auth-token';
import { authTokensQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { sessionQuery } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';

/** The account's authTokens, each with a button to revoke it. */
export function AuthTokenList() {
  const tokens = useQuery(authTokensQuery);
  const { data: session } = useQuery(sessionQuery);
  const revoke = useMutation({
    mutationFn: (authTokenId: string) => routes.authToken.delete({ headers: {}, body: { authTokenId } }),
  });
  return (
    <Loaded query={tokens}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="There are no authTokens yet.">
            Create one above if one of your servers manages paymasters or reads the ledger.
          </Empty>
        ) : (
          <>
            <Problem error={revoke.error} />
            <DataTable
              caption="authTokens"
              rows={list}
              keyOf={({ authTokenId }) => authTokenId}
              columns={[
                { title: 'Name', cell: ({ name }) => name },
                { title: 'State', cell: (token) => <State token={token} isOwn={isOf(session, token)} /> },
                { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
                {
                  title: 'Last used',
                  cell: ({ lastUsedAt: at }) => (at === undefined ? 'Never' : <Moment at={at} />),
                },
                {
                  title: 'Action',
                  cell: (token) =>
                    isActive(token) ? (
                      <ConfirmButton
                        text="Revoke"
                        needs={['manage', ...token.scopes]}
                        label={`Revoke ${token.name}`}
                        title={`Revoke “${token.name}”?`}
                        confirm="Revoke authToken"
                        isPending={revoke.isPending}
                        onConfirm={() => revoke.mutate(token.authTokenId)}
                      >
                        Programs that use it are refused immediately, and sessions that started with it end
                        {isOf(session, token) ? ', including yours' : ''}. This cannot be undone.
                      </ConfirmButton>
                    ) : (
                      <span className="muted">None</span>
                    ),
                },
              ]}
            />
          </>
        )
      }
    </Loaded>
  );
}

function isOf(session: { authTokenId?: string | undefined } | null | undefined, token: AuthTokenItem): boolean {
  return session?.authTokenId === token.authTokenId;
}

function isActive({ revokedAt, expiresAt }: AuthTokenItem): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > Date.now() / 1_000);
}

function State({ token, isOwn }: { readonly token: AuthTokenItem; readonly isOwn: boolean }) {
  const { revokedAt, expiresAt } = token;
  if (revokedAt !== undefined) return <Badge kind="bad">Revoked</Badge>;
  if (!isActive(token)) return <Badge kind="warn">Expired</Badge>;
  return (
    <>
      <Badge kind="good">{isOwn ? 'Active, this session' : 'Active'}</Badge>
      {expiresAt === undefined ? null : (
        <div className="small muted">
          until <Moment at={expiresAt} />
        </div>
      )}
    </>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../api/body-of.ts';
import { dataOf } from '../../api/data-of.ts';
import { apiKeysQuery } from '../../api/of-paymaster.ts';
import { paymastersQuery } from '../../api/paymasters.ts';
import { routes } from '../../api/routes.ts';
import { Badge } from '../../parts/badge.tsx';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

const graces = [
  { value: '0', text: 'Refused at once' },
  { value: '3600', text: 'Accepted for an hour' },
  { value: '86400', text: 'Accepted for a day' },
  { value: '604800', text: 'Accepted for 7 days' },
  { value: '2592000', text: 'Accepted for 30 days' },
] as const;
type Grace = (typeof graces)[number]['value'];

/** The apiKeys: the paymaster's own is replaced here, the others are ended. */
export function ApiKeys() {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const { paymasterId } = paymaster;
  const params = { paymasterId };
  const [grace, setGrace] = useState<Grace>('86400');
  const keys = useQuery(apiKeysQuery(paymaster));
  const readAgain = () =>
    Promise.all([client.invalidateQueries(apiKeysQuery(paymaster)), client.invalidateQueries(paymastersQuery)]);
  const rotate = useMutation({
    gcTime: 0,
    mutationFn: (graceSeconds: number) =>
      dataOf(routes.paymaster.rotateApiKey({ headers: {}, params, body: { graceSeconds } })),
    onSettled: readAgain,
  });
  const end = useMutation({
    mutationFn: (apiKeyId: string) => bodyOf(routes.paymaster.endApiKey({ headers: {}, params, body: { apiKeyId } })),
    onSettled: readAgain,
  });
  return (
    <div className="stack">
      <Loaded query={keys}>
        {(list) => (
          <DataTable
            caption="apiKeys"
            rows={list}
            keyOf={({ apiKeyId }) => apiKeyId}
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Made', cell: ({ createdAt }) => <Moment at={createdAt} /> },
              {
                title: 'Last used',
                cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : <Moment at={lastUsedAt} />),
              },
              {
                title: 'State',
                cell: ({ expiresAt, disabled }) => <State expiresAt={expiresAt} isDisabled={disabled} />,
              },
              {
                title: 'Action',
                cell: ({ apiKeyId, createdAt, expiresAt, isOwn }) =>
                  expiresAt === undefined && isOwn ? (
                    <span className="muted">Replace it below</span>
                  ) : (
                    <ConfirmButton
                      text="End now"
                      label={`End the apiKey of ${new Date(createdAt * 1_000).toLocaleString()} now`}
                      title="End this apiKey now?"
                      confirm="End apiKey"
                      isPending={end.isPending}
                      onConfirm={() => end.mutate(apiKeyId)}
                    >
                      Applications that still use it are refused from now on. This cannot be undone.
                    </ConfirmButton>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <div className="form-row">
        <Choice label="The apiKey in use is then" value={grace} options={graces} onChange={setGrace} />
      </div>
      <div className="actions">
        <ConfirmButton
          text="Replace apiKey"
          title="Replace the apiKey?"
          confirm="Replace apiKey"
          isPending={rotate.isPending}
          onConfirm={() => rotate.mutate(Number(grace))}
        >
          {grace === '0'
            ? 'Every apiKey of now is refused at once: applications that use one are, until they have the new one.'
            : 'Applications have to take the new one before the one of now is no longer accepted.'}
        </ConfirmButton>
      </div>
      <div role="status">
        {rotate.isSuccess ? <Notice kind="good">The apiKey is replaced: address and code above have it.</Notice> : null}
      </div>
      <Problem error={rotate.error ?? end.error} />
    </div>
  );
}

function State({ expiresAt, isDisabled }: { readonly expiresAt: number | undefined; readonly isDisabled: boolean }) {
  if (isDisabled) return <Badge kind="warn">Disabled</Badge>;
  if (expiresAt === undefined) return <Badge kind="good">Newest</Badge>;
  return (
    <div>
      <Badge kind="warn">Replaced</Badge>{' '}
      <span className="small muted">
        accepted until <Moment at={expiresAt} />
      </span>
    </div>
  );
}

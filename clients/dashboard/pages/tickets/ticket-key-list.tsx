import { useMutation } from '@tanstack/react-query';
import type { TicketKeyItem } from '@tollfree/contract/ticket-key';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';

/** The keys, each with a button to delete it. */
export function TicketKeyList({ keys }: { readonly keys: readonly TicketKeyItem[] }) {
  const paymaster = usePaymaster();
  const params = { paymasterId: paymaster.paymasterId };
  const remove = useMutation({
    mutationFn: (ticketKeyId: string) => routes.ticketKey.delete({ headers: {}, params, body: { ticketKeyId } }),
  });
  return (
    <div className="stack">
      <DataTable
        caption="Keys that sign tickets"
        rows={keys}
        keyOf={({ ticketKeyId }) => ticketKeyId}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Type', cell: (key) => <KindOf ticketKey={key} /> },
          {
            title: 'Audience',
            cell: ({ audience }) => (audience === paymaster.paymasterId ? 'This paymaster' : <code>{audience}</code>),
          },
          { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            title: 'Action',
            cell: ({ ticketKeyId, name }) => (
              <ConfirmButton
                text="Delete"
                needs={['manage']}
                label={`Delete the key ${name}`}
                title={`Delete the key ${name}?`}
                confirm="Delete key"
                isPending={remove.isPending}
                onConfirm={() => remove.mutate(ticketKeyId)}
              >
                Its tickets are refused from now on. This cannot be undone.
              </ConfirmButton>
            ),
          },
        ]}
      />
      <Problem error={remove.error} />
    </div>
  );
}

const kinds: Readonly<Record<TicketKeyItem['kind'], string>> = {
  HS256: 'Generated secret',
  ES256: 'Generated key pair',
  EDDSA: 'Generated key pair',
  JWK: 'Your own',
  JWKS: 'A login',
};

function KindOf({ ticketKey: { kind, algorithms, kid, issuer, jwksUrl } }: { readonly ticketKey: TicketKeyItem }) {
  return (
    <div>
      {kinds[kind]} <span className="muted">({algorithms.join(', ')})</span>
      {[['issuer', issuer] as const, ['keys at', jwksUrl] as const, ['kid', kid] as const].map(([what, text]) =>
        text === undefined ? null : (
          <div key={what} className="small muted">
            {what} <code>{text}</code>
          </div>
        ),
      )}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { AuditLogItem as Item } from '@tollfree/contract/access/audit-log';
import { authTokensQuery } from '../../api/auth-tokens.ts';
import { paymastersQuery } from '../../api/paymasters.ts';
import { Moment } from '../../parts/moment.tsx';
import { authorOf } from './author-of.ts';
import { ChangeTable } from './change-table.tsx';
import { listChanges } from './list-changes.ts';
import { operationWords } from './operation-words.ts';

/** A change: what, where, when, by whom and from where, and what it came to. */
export function AuditLogItem({ entry }: { readonly entry: Item }) {
  const { operation, changedAt, paymasterId, address, client } = entry;
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const paymaster = paymasters.find((each) => each.paymasterId === paymasterId);
  const changes = listChanges(entry);
  return (
    <div className="stack">
      <div>
        <h3>
          {operationWords[operation] ?? operation}
          {paymasterId === undefined ? '' : ` · ${paymaster?.name ?? paymasterId}`}
        </h3>
        <p className="whole">
          {authorOf(entry, tokens)}, <Moment at={changedAt} />
        </p>
        {address === undefined ? null : (
          <p className="small muted">
            from {address}
            {client === undefined ? '' : `, with ${client}`}
          </p>
        )}
      </div>
      {changes.length === 0 ? null : (
        <details>
          <summary>What changed</summary>
          <div className="details-body stack">
            {changes.map((change) => (
              <ChangeTable key={`${change.kind} ${change.id}`} change={change} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

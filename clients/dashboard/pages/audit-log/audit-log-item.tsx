import { useQuery } from '@tanstack/react-query';
import type { AuditLogItem as Item } from '@tollfree/contract/access/audit-log';
import { authTokensQuery } from '../../api/auth-tokens.ts';
import { paymastersQuery } from '../../api/paymasters.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { fieldNames } from '../policy/field-names.ts';
import { authorOf } from './author-of.ts';
import { ChangedValue } from './changed-value.tsx';
import { listChanges, type ObjectChange } from './list-changes.ts';
import { operationWords } from './operation-words.ts';

const became = { made: 'new', changed: 'changed', gone: 'gone' } as const;

/** One object's change, before and after. */
function ChangeTable({ change }: { readonly change: ObjectChange }) {
  const { kind, id, fields } = change;
  const title = `${kind} ${id}, ${became[change.became]}`;
  return (
    <div className="stack">
      <p className="small">
        <strong>{kind}</strong> <code>{id}</code> <span className="muted">{became[change.became]}</span>
      </p>
      {fields.length === 0 ? null : (
        <DataTable
          caption={title}
          rows={fields}
          keyOf={({ field }) => field}
          columns={[
            { title: 'What', cell: ({ field }) => wordsOf(field) },
            {
              title: 'Before',
              cell: ({ field, before, after }) => <ChangedValue field={field} value={before} other={after} />,
            },
            {
              title: 'After',
              cell: ({ field, before, after }) => <ChangedValue field={field} value={after} other={before} />,
            },
          ]}
        />
      )}
    </div>
  );
}

/** A path with the form's labels; database columns without underscores. */
function wordsOf(path: string): string {
  return path
    .split('.')
    .map((name) => fieldNames[name] ?? name.replaceAll('_', ' '))
    .join(' › ');
}

/** A change: what, where, when, by whom and from where, and its effect. */
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

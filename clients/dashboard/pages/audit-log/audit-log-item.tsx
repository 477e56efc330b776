import { useQuery } from '@tanstack/react-query';
import type { AuditLogItem as Item } from '@tollfree/contract/access/audit-log';
import { authTokensQuery, paymastersQuery } from '../../api/of-account.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Coin } from '../../parts/usd.tsx';
import { fieldNames, valueNames } from '../policy/field-names.ts';
import { authorOf, listChanges, type ObjectChange, operationWords } from './list-changes.ts';

const became = { made: 'new', changed: 'changed', gone: 'gone' } as const;

/** One object's change, before and after. */
function ChangeTable({ change, chainId }: { readonly change: ObjectChange; readonly chainId: number | undefined }) {
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
              cell: ({ field, before, after }) => <ChangedValue {...{ field, chainId }} value={before} other={after} />,
            },
            {
              title: 'After',
              cell: ({ field, before, after }) => <ChangedValue {...{ field, chainId }} value={after} other={before} />,
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
    <div className="stack close">
      <div>
        <div className="row">
          <h3>
            {operationWords[operation] ?? operation}
            {paymasterId === undefined ? '' : ` · ${paymaster?.name ?? paymasterId}`}
          </h3>
          <span className="small muted">
            <Moment at={changedAt} />
          </span>
        </div>
        <p className="small muted whole" title={client}>
          {authorOf(entry, tokens)}
          {address === undefined ? '' : ` · ${address}`}
          {client === undefined ? '' : ` · ${programName(client)}`}
        </p>
      </div>
      {changes.length === 0 ? null : (
        <details>
          <summary>What changed</summary>
          <div className="details-body stack">
            {changes.map((change) => (
              <ChangeTable key={`${change.kind} ${change.id}`} change={change} chainId={paymaster?.chainId} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

/** A browser by name instead of its whole user agent; other programs as they call themselves. */
function programName(client: string): string {
  const [, name, version] = /(Edg|OPR|Firefox|Chrome|Safari)[^/]*\/(\d+)/.exec(client) ?? [];
  return name === undefined ? client : `${browsers[name] ?? name} ${version}`;
}

const browsers: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };

type ChangedValueProps = {
  readonly field: string;
  /** The chain of amounts, if the paymaster is known. */
  readonly chainId: number | undefined;
  readonly value: unknown;
  /** The value to compare with: of two lists only the differences are shown. */
  readonly other: unknown;
};

/** A value before or after a change. */
function ChangedValue({ field, chainId, value, other }: ChangedValueProps) {
  if (value === undefined) return <span className="muted">nothing</span>;
  if (typeof value === 'number' && /(_at|At)$|^not(Before|After)$/.test(field)) return <Moment at={value} />;
  if (chainId !== undefined && isWei(field, value)) return <Coin wei={String(value)} chainId={chainId} />;
  if (!Array.isArray(value)) return valueNames[String(value)] ?? <code>{String(value)}</code>;
  const others = new Set(Array.isArray(other) ? other.map(textOf) : []);
  const own = value.map(textOf).filter((each) => !others.has(each));
  if (value.length === 0) return <span className="muted">an empty list</span>;
  const same = value.length - own.length;
  return (
    <ul>
      {own.map((each) => (
        <li key={each}>
          <code>{each}</code>
        </li>
      ))}
      {same === 0 ? null : <li className="muted">{own.length === 0 ? `the same ${same}` : `and the same ${same}`}</li>}
    </ul>
  );
}

function isWei(field: string, value: unknown): boolean {
  return /(^|\.)wei$|Wei$|^failure_max$/.test(field) && /^\d+$/.test(String(value));
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${typeof each === 'object' ? JSON.stringify(each) : String(each)}`)
    .join(', ');
}

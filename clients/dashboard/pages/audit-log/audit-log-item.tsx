import { useQuery } from '@tanstack/react-query';
import type { AuditLogItem as Item } from '@tollfree/contract/access/audit-log';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { authorOf } from '../../api/change-author.ts';
import { authTokensQuery, membersQuery, paymastersQuery } from '../../api/of-account.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { labelOf } from '../policy/field-names.ts';
import { ChangedValue } from './changed-value.tsx';
import { listChanges, type ObjectChange, operationWords } from './list-changes.ts';

/** Fields that the entry itself shows: whose it is, and when it changed. */
const known = new Set(['account_id', 'paymaster_id', 'key_number', 'created_at', 'updated_at', 'added_at']);

function isEmpty(...values: readonly unknown[]): boolean {
  return values.every((each) => Array.isArray(each) && each.length === 0);
}

const became = { made: 'new', changed: 'changed', gone: 'gone' } as const;

type Field = ObjectChange['fields'][number];

type ChangeTableProps = {
  readonly change: ObjectChange;
  readonly chainId: number | undefined;
  readonly paymasters: readonly PaymasterItem[];
};

/** One object's change, before and after. */
function ChangeTable({ change, chainId, paymasters }: ChangeTableProps) {
  const { kind, id } = change;
  const fields = change.fields.filter(
    ({ field, before, after }) => !known.has(field) && (before ?? after) !== id && !isEmpty(before ?? [], after ?? []),
  );
  const value = (at: 'before' | 'after', title: string) => ({
    title,
    cell: ({ field, ...both }: Field) => (
      <ChangedValue
        field={field}
        chainId={chainId}
        paymasters={paymasters}
        value={both[at]}
        other={both[at === 'before' ? 'after' : 'before']}
      />
    ),
  });
  return (
    <div className="stack">
      <p className="small">
        <strong>{kind}</strong> <code>{id}</code> <span className="muted">{became[change.became]}</span>
      </p>
      {fields.length === 0 ? null : (
        <DataTable
          caption={`${kind} ${id}, ${became[change.became]}`}
          rows={fields}
          keyOf={({ field }) => field}
          columns={[
            { title: 'What', cell: ({ field }) => wordsOf(field) },
            ...(change.became === 'made' ? [] : [value('before', 'Before')]),
            ...(change.became === 'gone' ? [] : [value('after', 'After')]),
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
    .map((name) => columnNames[name] ?? labelOf(name.replaceAll('_', ' ')))
    .join(' › ');
}

/** Labels of fields that are stored under another name than the API has for them. */
const columnNames: Readonly<Record<string, string>> = {
  maxCostUsdMicros: 'Maximum cost of one operation',
  maxCostWei: 'Maximum cost of one operation',
  maxFeePerGas: 'Highest gas price',
  max_usd_micros: 'Maximum',
  span: 'Period',
  paymaster_ids: 'Paymasters',
  tank_low_wei: 'Gas tank is low below',
  whitelisted_methods: 'Sponsored methods',
  url: 'URL',
  webhook_url: 'URL',
  secret_sealed: 'Secret, as a fingerprint',
};

/** A change: what, where, when, by whom and from where, and its effect. */
export function AuditLogItem({ entry }: { readonly entry: Item }) {
  const { operation, changedAt, paymasterId, address, client } = entry;
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const paymaster = paymasters.find((each) => each.paymasterId === paymasterId);
  const about = new Set([operationWords[operation] ?? operation, paymaster?.name ?? paymasterId, objectName(entry)]);
  const changes = listChanges(entry);
  const head = (
    <div className="fold-text">
      <div className="row">
        <h3>{[...about].filter((each) => each !== undefined).join(' · ')}</h3>
        <span className="small muted">
          <Moment at={changedAt} />
        </span>
      </div>
      <p className="small muted whole" title={client}>
        {authorOf(entry, { tokens, members })}
        {address === undefined ? '' : ` · ${address}`}
        {client === undefined ? '' : ` · ${programName(client)}`}
      </p>
    </div>
  );
  if (changes.length === 0) return head;
  return (
    <details className="fold plain">
      <summary>{head}</summary>
      <div className="stack">
        {changes.map((change) => (
          <ChangeTable
            key={`${change.kind} ${change.id}`}
            change={change}
            chainId={paymaster?.chainId}
            paymasters={paymasters}
          />
        ))}
      </div>
    </details>
  );
}

/** The name that the changed object has. */
function objectName({ before, after }: Item): string | undefined {
  return Object.values({ ...before, ...after })
    .map(({ name }) => name)
    .find((name) => typeof name === 'string');
}

/** A browser by name instead of its whole user agent; other programs as they call themselves. */
function programName(client: string): string {
  const [, name, version] = /(Edg|OPR|Firefox|Chrome|Safari)[^/]*\/(\d+)/.exec(client) ?? [];
  return name === undefined ? client : `${browsers[name] ?? name} ${version}`;
}

const browsers: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };

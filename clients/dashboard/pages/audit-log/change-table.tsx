import { DataTable } from '../../parts/data-table.tsx';
import { fieldNames } from '../policy/field-names.ts';
import { ChangedValue } from './changed-value.tsx';
import type { ObjectChange } from './list-changes.ts';

const became = { made: 'new', changed: 'changed', gone: 'gone' } as const;

/** What became of one object, before and after. */
export function ChangeTable({ change }: { readonly change: ObjectChange }) {
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

/** A path as the forms name its parts, columns of the store without their underlines. */
function wordsOf(path: string): string {
  return path
    .split('.')
    .map((name) => fieldNames[name] ?? name.replaceAll('_', ' '))
    .join(' › ');
}

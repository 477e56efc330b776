import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { maxIdLength } from '@tollfree/contract/limits';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { auditLogQuery, type AuditLogFilters as Filters, readWholeAuditLog } from '../../api/audit-log.ts';
import { authorLabels } from '../../api/change-author.ts';
import { live } from '../../api/live.ts';
import { authTokensQuery, membersQuery, paymastersQuery } from '../../api/of-account.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty, Live, Loaded, LoadMore } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { RangeField } from '../../parts/range-field.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { eventPresets } from '../../time/time-range.ts';
import { auditLogCsv } from './audit-log-csv.ts';
import { AuditLogItem } from './audit-log-item.tsx';
import { operationWords } from './list-changes.ts';

/** Who changed what in the account, newest first. */
export function AuditLogPage() {
  const filters: Filters = useSearch({ from: '/audit-log' });
  const navigate = useNavigate({ from: '/audit-log' });
  const pace = live();
  const query = useInfiniteQuery({
    ...auditLogQuery(filters),
    refetchInterval: (each) => ((each.state.data?.pages.length ?? 0) > 1 ? false : pace(each)),
  });
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const save = useMutation({
    meta: { onlyReads: true },
    mutationFn: () => readWholeAuditLog(filters),
    onSuccess: (entries) => saveCsv('audit log.csv', auditLogCsv(entries, { tokens, members })),
  });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Audit log"
      lead="Who changed what in this account, when and from where. Entries cannot be changed. Secrets appear only as fingerprints."
      doc="auditLog"
      actions={
        <>
          <Live query={query} />
          <Button isPending={save.isPending} onPress={() => save.mutate()}>
            Save as CSV
          </Button>
        </>
      }
    >
      <AuditLogFilters filters={filters} onChange={(search) => void navigate({ search })} />
      <Problem error={save.error} />
      <Card title="Changes">
        <Loaded query={query}>
          {({ pages }) => {
            const entries = pages.flatMap((page) => page.entries);
            if (entries.length > 0) {
              return (
                <ul className="list tight">
                  {entries.map((entry) => (
                    <li key={entry.entryId}>
                      <AuditLogItem entry={entry} />
                    </li>
                  ))}
                </ul>
              );
            }
            return isFiltered ? (
              <Empty title="No change matches these filters.">Change the filters or load older changes.</Empty>
            ) : (
              <Empty title="No changes yet.">All changes to this account appear here.</Empty>
            );
          }}
        </Loaded>
        <LoadMore query={query} label="Load older" />
      </Card>
    </Page>
  );
}

const any = '';

type AuditLogFiltersProps = { readonly filters: Filters; readonly onChange: (filters: Filters) => void };

/** Filters the changes. */
function AuditLogFilters({ filters, onChange }: AuditLogFiltersProps) {
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const { operation, who, object } = filters;
  const isPaymaster = paymasters.some(({ paymasterId }) => paymasterId === object);
  const set = (change: Filters) => onChange({ ...filters, ...change });
  return (
    <section aria-label="Filters" className="stack">
      <div className="form-row">
        <Choice
          label="Operation"
          value={operation ?? any}
          options={[
            { value: any, text: 'Anything' },
            ...Object.entries(operationWords).map(([value, text]) => ({ value, text })),
          ]}
          onChange={(value) => set({ operation: value || undefined })}
        />
        <Choice
          label="Author"
          value={who ?? any}
          options={[
            { value: any, text: 'Anyone' },
            { value: 'session', text: 'Anyone signed in here' },
            ...tokens.map(({ authTokenId, name }) => ({ value: authTokenId, text: `The authToken “${name}”` })),
            ...Object.entries(authorLabels).map(([value, text]) => ({ value, text })),
          ]}
          onChange={(value) => set({ who: value || undefined })}
        />
        <Choice
          label="Paymaster"
          value={isPaymaster ? (object ?? any) : any}
          options={[
            { value: any, text: 'All, and the account' },
            ...paymasters.map(({ paymasterId, name }) => ({ value: paymasterId, text: name })),
          ]}
          onChange={(value) => set({ object: value || undefined })}
        />
        <ObjectInput object={isPaymaster ? '' : (object ?? '')} onObject={(id) => set({ object: id || undefined })} />
      </div>
      <RangeField
        presets={eventPresets}
        time={filters}
        usual="all"
        calendar="local"
        onChange={(time) => onChange({ operation, who, object, ...time })}
      />
    </section>
  );
}

type ObjectInputProps = { readonly object: string; readonly onObject: (object: string) => void };

/** The id of an object, used once it is complete: with Enter, or when the field is left. */
function ObjectInput({ object, onObject }: ObjectInputProps) {
  const [text, setText] = useState(object);
  useEffect(() => setText(object), [object]);
  const use = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (event.currentTarget.checkValidity() && text.trim() !== object) onObject(text.trim());
  };
  return (
    <form className="field" onSubmit={use} onBlur={use}>
      <TextInput
        label="Object id"
        hint="Id of a key, a policy, a webhook, a contract …"
        isCode
        maxLength={maxIdLength}
        pattern="\s*[\w:.\-]*\s*"
        value={text}
        onChange={setText}
      />
    </form>
  );
}

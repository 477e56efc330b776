import { useQuery } from '@tanstack/react-query';
import type { AuditLogFilters as Filters } from '../../api/audit-log.ts';
import { authTokensQuery } from '../../api/auth-tokens.ts';
import { paymastersQuery } from '../../api/paymasters.ts';
import { Choice } from '../../parts/choice.tsx';
import { startOfDay } from '../../parts/text/start-of-day.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { authorLabels } from './author-of.ts';
import { operationWords } from './operation-words.ts';

const any = '';

type AuditLogFiltersProps = { readonly filters: Filters; readonly onChange: (filters: Filters) => void };

/** Filters the changes. */
export function AuditLogFilters({ filters, onChange }: AuditLogFiltersProps) {
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const set = (change: Filters) => onChange({ ...filters, ...change });
  return (
    <section aria-label="Filters" className="form-row">
      <Choice
        label="Operation"
        value={filters.operation ?? any}
        options={[
          { value: any, text: 'Anything' },
          ...Object.entries(operationWords).map(([value, text]) => ({ value, text })),
        ]}
        onChange={(value) => set({ operation: value || undefined })}
      />
      <Choice
        label="Author"
        value={filters.who ?? any}
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
        value={paymasters.some(({ paymasterId }) => paymasterId === filters.object) ? (filters.object ?? any) : any}
        options={[
          { value: any, text: 'All, and the account' },
          ...paymasters.map(({ paymasterId, name }) => ({ value: paymasterId, text: name })),
        ]}
        onChange={(value) => set({ object: value || undefined })}
      />
      <TextInput
        label="Object id"
        hint="Id of a key, a policy, a webhook, a contract …"
        isCode
        maxLength={100}
        onChange={(value) => set({ object: value.trim() || undefined })}
      />
      <TextInput label="From" type="date" onChange={(day) => set({ from: startOfDay(day) })} />
      <TextInput label="Until" type="date" onChange={(day) => set({ until: startOfDay(day, 1) })} />
    </section>
  );
}

import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditLogQuery, type AuditLogFilters as Filters, readWholeAuditLog } from '../../api/audit-log.ts';
import { authTokensQuery } from '../../api/auth-tokens.ts';
import { live } from '../../api/live.ts';
import { saveCsv } from '../../csv/save-csv.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Live } from '../../parts/live.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { auditLogCsv } from './audit-log-csv.ts';
import { AuditLogFilters } from './audit-log-filters.tsx';
import { AuditLogItem } from './audit-log-item.tsx';

/** Who changed what in the account, newest first. */
export function AuditLogPage() {
  const [filters, setFilters] = useState<Filters>({});
  const pace = live();
  const query = useInfiniteQuery({
    ...auditLogQuery(filters),
    refetchInterval: (each) => ((each.state.data?.pages.length ?? 0) > 1 ? false : pace(each)),
  });
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const save = useMutation({
    mutationFn: () => readWholeAuditLog(filters),
    onSuccess: (entries) => saveCsv('audit log.csv', auditLogCsv(entries, tokens)),
  });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Audit log"
      lead="Who changed what in this account, when and from where. Entries cannot be changed. Secrets appear only as fingerprints."
      actions={
        <>
          <Live query={query} />
          <Button isPending={save.isPending} onPress={() => save.mutate()}>
            Save as CSV
          </Button>
        </>
      }
    >
      <AuditLogFilters filters={filters} onChange={setFilters} />
      <Problem error={save.error} />
      <Card title="Changes">
        <Loaded query={query}>
          {({ pages }) => {
            const entries = pages.flatMap((page) => page.entries);
            if (entries.length > 0) {
              return (
                <ul className="list">
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
        {query.hasNextPage ? (
          <div>
            <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
              Load older
            </Button>
          </div>
        ) : null}
      </Card>
    </Page>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditLogQuery, type AuditLogFilters as Filters } from '../../api/audit-log.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { AuditLogFilters } from './audit-log-filters.tsx';
import { AuditLogItem } from './audit-log-item.tsx';

/** Who changed what at the account, newest first. */
export function AuditLogPage() {
  const [filters, setFilters] = useState<Filters>({});
  const query = useInfiniteQuery(auditLogQuery(filters));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Audit log"
      lead="Who changed what in this account, when and from where. Entries cannot be changed. Secrets appear only as fingerprints."
      actions={
        <Button isPending={query.isFetching} onPress={() => void query.refetch()}>
          Refresh
        </Button>
      }
    >
      <AuditLogFilters filters={filters} onChange={setFilters} />
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

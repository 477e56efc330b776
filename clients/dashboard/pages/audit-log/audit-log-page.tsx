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
      lead="Who changed what at this account, when and from where. Nobody can change what stands here. Of secrets only a fingerprint is shown, which tells one from another."
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
              <Empty title="No change passes these filters.">Choose others, or look further back.</Empty>
            ) : (
              <Empty title="Nothing has been changed yet.">What you and others change is here from then on.</Empty>
            );
          }}
        </Loaded>
        {query.hasNextPage ? (
          <div>
            <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
              Look further back
            </Button>
          </div>
        ) : null}
      </Card>
    </Page>
  );
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AuditLogItem } from '@tollfree/contract/access/audit-log';
import { type AuditLogFilters, auditLogQuery } from '../../api/audit-log.ts';
import { authorOf } from '../../api/change-author.ts';
import { authTokensQuery, membersQuery } from '../../api/of-account.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded, LoadMore } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ChangedSentences } from './changed-sentences.tsx';
import { describeFields } from './describe-policy.ts';
import { changedFields, type LoggedChange, policyOfLog } from './logged-policy.ts';
import { usePolicyNames } from './use-policy-names.ts';

type PolicyHistoryProps = {
  /** The changes of this policy in the audit log. */
  readonly filters: AuditLogFilters;
  /** Takes a change back in the draft. */
  readonly onTakeBack: (change: LoggedChange) => void;
};

/** Who changed what of a policy and when, newest first. A change can be taken back, as a change to review. */
export function PolicyHistory({ filters, onTakeBack }: PolicyHistoryProps) {
  const query = useInfiniteQuery(auditLogQuery(filters));
  return (
    <Card title="History" lead="Put a change back to review it among the rules: nothing is saved until you save it.">
      <Loaded query={query}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0)
            return <Empty title="No changes yet.">Every change of this policy appears here.</Empty>;
          return (
            <ul className="list">
              {entries.map((entry) => (
                <PastChange key={entry.entryId} entry={entry} onTakeBack={onTakeBack} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      <LoadMore query={query} label="Load older" />
    </Card>
  );
}

type PastChangeProps = Pick<PolicyHistoryProps, 'onTakeBack'> & { readonly entry: AuditLogItem };

/** One change: the rules that went and came, who made it, and when. */
function PastChange({ entry, onTakeBack }: PastChangeProps) {
  const names = usePolicyNames();
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const [before = {}, after = {}] = [entry.before, entry.after].map((objects) =>
    policyOfLog(Object.values(objects)[0]),
  );
  const fields = changedFields({ before, after });
  const [was, is] = [describeFields(before, fields, names), describeFields(after, fields, names)];
  return (
    <li className="row">
      <div>
        <ChangedSentences
          before={was}
          after={is}
          otherwise="No rule changed: its name, its texts or whether it is open."
        />
        <p className="small muted">
          <Moment at={entry.changedAt} /> · {authorOf(entry, { tokens, members })}
        </p>
      </div>
      {fields.length === 0 ? null : (
        <Button needs={['manage']} onPress={() => onTakeBack({ before, after })}>
          Put back
        </Button>
      )}
    </li>
  );
}

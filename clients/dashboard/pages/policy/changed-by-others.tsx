import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { PolicyItem } from '@tollfree/contract/policy';
import { type AuditLogFilters, auditLogQuery } from '../../api/audit-log.ts';
import { authTokensQuery, membersQuery } from '../../api/of-account.ts';
import { othersChange } from '../../api/use-save.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Notice } from '../../parts/problem.tsx';
import { authorsHave, authorsSince } from './authors-since.ts';
import { describeFields } from './describe-policy.ts';
import { labelOf } from './field-names.ts';
import { type ChangedRule, type Choices, policyOfRule } from './merge-policies.ts';
import { usePolicyNames } from './use-policy-names.ts';

type ChangedByOthersProps = {
  readonly rules: readonly ChangedRule[];
  /** The policy that the draft was begun from, and the one in force by now. */
  readonly seen: PolicyItem;
  readonly saved: PolicyItem;
  /** The service's refusal of a save, which says who has changed it. */
  readonly refusal: unknown;
  /** The changes of the policy in the audit log. */
  readonly logged: AuditLogFilters;
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
};

/** Someone else has changed the policy since the draft was begun: rule by rule what becomes of that. */
export function ChangedByOthers(props: ChangedByOthersProps) {
  const { rules, choices, onChoose } = props;
  const names = usePolicyNames();
  const authorText = useAuthorText(props);
  const conflicts = rules.filter(({ changedBy }) => changedBy === 'both').length;
  const textOf = (rule: ChangedRule, value: unknown) => {
    if (value === undefined) return 'No rule';
    const field = rule.path[0] ?? '';
    return describeFields(policyOfRule(rule, value), [field], names).join(' ') || 'Not set';
  };
  const choiceOf = (rule: ChangedRule, whose: 'mine' | 'theirs') => (
    <label className="pick">
      <input
        type="radio"
        name={rule.id}
        checked={(choices[rule.id] ?? 'mine') === whose}
        onChange={() => onChoose({ ...choices, [rule.id]: whose })}
      />{' '}
      {textOf(rule, rule[whose])}
    </label>
  );
  return (
    <div className="stack conflict">
      <Notice kind={conflicts === 0 ? 'info' : 'warn'}>
        {authorText}{' '}
        {conflicts === 0
          ? 'Those changes stay; yours are added to them.'
          : 'Nothing of yours is lost. Choose which counts where you both changed the same rule.'}
      </Notice>
      <DataTable
        caption="What you and others changed"
        rows={rules}
        keyOf={({ id }) => id}
        layout="matrix"
        columns={[
          { title: 'Rule', cell: ({ path }) => <strong>{path.map(labelOf).join(', ')}</strong> },
          { title: 'It was', cell: (rule) => <span className="muted">{textOf(rule, rule.was)}</span> },
          {
            title: 'They saved',
            cell: (rule) => {
              if (rule.changedBy === 'both') return choiceOf(rule, 'theirs');
              return rule.changedBy === 'others' ? `${textOf(rule, rule.theirs)} Stays.` : 'Not changed';
            },
          },
          {
            title: 'You have',
            cell: (rule) => {
              if (rule.changedBy === 'both') return choiceOf(rule, 'mine');
              return rule.changedBy === 'me' ? textOf(rule, rule.mine) : 'Not changed';
            },
          },
        ]}
      />
    </div>
  );
}

/** Who has changed it: by the audit log, or by the service's refusal of a save while the log is not known. */
function useAuthorText({ refusal, logged, seen, saved }: ChangedByOthersProps): string {
  const { data } = useInfiniteQuery({ ...auditLogQuery(logged), refetchOnMount: 'always' });
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const entries = data?.pages[0]?.entries ?? [];
  const told = othersChange(refusal);
  // The rules that the service names are in the table.
  if (told !== undefined && entries.length === 0) return told.replace(/ since it was read.*$/, '.');
  const authors = authorsSince({ was: seen, theirs: saved, entries }, { tokens, members });
  return `${authorsHave(authors)} changed the policy meanwhile.`;
}

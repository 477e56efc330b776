import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type AuditLogFilters, auditLogQuery } from '../../api/audit-log.ts';
import { authorOf } from '../../api/change-author.ts';
import { authTokensQuery, membersQuery } from '../../api/of-account.ts';
import { othersChange } from '../../api/use-save.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Notice } from '../../parts/problem.tsx';
import { describeFields } from './describe-policy.ts';
import { labelOf } from './field-names.ts';
import { type ChangedRule, type Choices, policyOfRule } from './merge-policies.ts';
import { usePolicyNames } from './use-policy-names.ts';

type ChangedByOthersProps = {
  readonly rules: readonly ChangedRule[];
  /** The service's refusal of a save, which says who has changed it. */
  readonly refusal: unknown;
  /** The changes of the policy in the audit log. */
  readonly logged: AuditLogFilters;
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
};

/** Someone else has changed the policy since the draft was begun: rule by rule what becomes of that. */
export function ChangedByOthers({ rules, refusal, logged, choices, onChoose }: ChangedByOthersProps) {
  const names = usePolicyNames();
  const authorText = useAuthorText(refusal, logged);
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

/** Who has changed it: by the service's refusal of a save, or by the newest entry of the audit log before one. */
function useAuthorText(refusal: unknown, logged: AuditLogFilters): string {
  const told = othersChange(refusal);
  const { data } = useInfiniteQuery({
    ...auditLogQuery(logged),
    refetchOnMount: 'always',
    enabled: told === undefined,
  });
  const { data: tokens = [] } = useQuery(authTokensQuery);
  const { data: members = [] } = useQuery(membersQuery);
  // The rules that the service names are in the table.
  if (told !== undefined) return told.replace(/ since it was read.*$/, '.');
  const [newest] = data?.pages[0]?.entries ?? [];
  const author = newest === undefined ? 'Someone else' : authorOf(newest, { tokens, members });
  return `${author} has changed the policy meanwhile.`;
}

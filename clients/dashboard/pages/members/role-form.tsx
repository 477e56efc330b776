import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MemberItem } from '@tollfree/contract/access/member';
import { type Role, roles } from '@tollfree/contract/access/role';
import { scopes } from '@tollfree/contract/access/scope';
import { useState } from 'react';
import { dataOf } from '../../api/data-of.ts';
import { membersQuery } from '../../api/members.ts';
import { routes } from '../../api/routes.ts';
import { sessionQuery } from '../../api/session.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Short } from '../../parts/short.tsx';
import { roleLabels } from './role-words.ts';

type RoleFormProps = {
  readonly member: MemberItem;
  readonly isOwn: boolean;
  /** Why it cannot be lowered. */
  readonly refusal: string | undefined;
};

/** Shows and changes a member's role. */
export function RoleForm({ member: { wallet, role }, isOwn, refusal }: RoleFormProps) {
  const client = useQueryClient();
  const whyNot = useWhyNot(scopes) ?? refusal;
  const [chosen, setChosen] = useState<Role>(role);
  const change = useMutation({
    mutationFn: () => dataOf(routes.member.change({ headers: {}, params: { wallet }, body: { role: chosen } })),
    onSettled: () => Promise.all([client.invalidateQueries(membersQuery), client.invalidateQueries(sessionQuery)]),
  });
  if (whyNot !== undefined) return <span title={whyNot}>{role}</span>;
  return (
    <div>
      <div className="actions">
        <select
          className="input role"
          aria-label={`Role of ${wallet}`}
          value={chosen}
          onChange={({ target }) => setChosen(roles.find((each) => each === target.value) ?? role)}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        {chosen === role ? null : (
          <ConfirmButton
            text="Change"
            label={`Make ${wallet} ${chosen}`}
            title={isOwn ? `Make yourself ${chosen}?` : `Make this member ${chosen}?`}
            confirm="Change role"
            isPending={change.isPending}
            onConfirm={() => change.mutate()}
          >
            <p>
              <Short hex={wallet} /> will then have these permissions: {roleLabels[chosen]}. This applies immediately to
              its sessions and the authTokens it created.
              {isOwn ? ' You cannot undo this yourself.' : ''}
            </p>
          </ConfirmButton>
        )}
      </div>
      <Problem error={change.error} />
    </div>
  );
}

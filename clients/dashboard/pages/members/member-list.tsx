import { useQuery } from '@tanstack/react-query';
import type { MemberItem } from '@tollfree/contract/access/member';
import { membersQuery } from '../../api/members.ts';
import { sessionQuery } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Short } from '../../parts/short.tsx';
import { isLastOwner } from './is-last-owner.ts';
import { LeaveButton } from './leave-button.tsx';
import { RemoveButton } from './remove-button.tsx';
import { RoleForm } from './role-form.tsx';

/** The account's members, each with its role and a way out. */
export function MemberList() {
  const members = useQuery(membersQuery);
  const { data: session } = useQuery(sessionQuery);
  // Who signed in with an authToken is no member himself.
  const own = session?.role === undefined ? undefined : session.wallet;
  return (
    <Loaded query={members}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="No members yet.">Only authTokens give access to this account.</Empty>
        ) : (
          <DataTable
            caption="Members"
            rows={list.map((member) => ({ member, isOwn: member.wallet === own, refusal: refusalOf(list, member) }))}
            keyOf={({ member }) => `${member.wallet} ${member.role}`}
            columns={[
              {
                title: 'Wallet',
                cell: ({ member, isOwn }) => (
                  <div>
                    <Short hex={member.wallet} /> {isOwn ? <Badge>You</Badge> : null}
                  </div>
                ),
              },
              {
                title: 'State',
                cell: ({ member: { joinedAt, addedAt } }) =>
                  joinedAt === undefined ? (
                    <div>
                      <Badge kind="warn">Invited</Badge> <Moment at={addedAt} />
                    </div>
                  ) : (
                    <div>
                      Joined <Moment at={joinedAt} />
                    </div>
                  ),
              },
              { title: 'Role', cell: (row) => <RoleForm {...row} /> },
              {
                title: 'Action',
                cell: ({ member, isOwn, refusal }) =>
                  isOwn ? <LeaveButton refusal={refusal} /> : <RemoveButton member={member} refusal={refusal} />,
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}

function refusalOf(list: readonly MemberItem[], member: MemberItem): string | undefined {
  return isLastOwner(list, member) ? 'An account keeps an owner who has signed in.' : undefined;
}

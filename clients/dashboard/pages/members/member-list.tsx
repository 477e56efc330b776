import { useMutation, useQuery } from '@tanstack/react-query';
import type { MemberItem } from '@tollfree/contract/access/member';
import { type Role, roles } from '@tollfree/contract/access/role';
import { scopes } from '@tollfree/contract/access/scope';
import { useState } from 'react';
import { membersQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { beginAgain, sessionQuery } from '../../api/session.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';
import { invitationLink } from './invitation-link.ts';
import { MemberName } from './member-name.tsx';
import { RenameMember } from './rename-member.tsx';

/** The account's members, each with its role and a button to remove it. */
export function MemberList() {
  const members = useQuery(membersQuery);
  const { data: session } = useQuery(sessionQuery);
  // An authToken session is not a member.
  const own = session?.role === undefined ? undefined : session.wallet;
  return (
    <Loaded query={members}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="No members yet.">
            Only authTokens give access to this account. For example: invite your own wallet as owner, and that of a
            colleague in support as viewer.
          </Empty>
        ) : (
          <DataTable
            caption="Members"
            rows={list.map((member) => ({ member, isOwn: member.wallet === own, refusal: refusalOf(list, member) }))}
            keyOf={({ member }) => `${member.wallet} ${member.role}`}
            columns={[
              {
                title: 'Member',
                cell: ({ member, isOwn }) => (
                  <div>
                    <MemberName member={member} /> {isOwn ? <Badge>You</Badge> : null}
                  </div>
                ),
              },
              {
                title: 'State',
                cell: ({ member: { joinedAt, addedAt } }) =>
                  joinedAt === undefined ? (
                    <div>
                      <Badge kind="warn">Invited</Badge> <Moment at={addedAt} />
                      {session ? (
                        <div className="small">
                          Copy the invitation{' '}
                          <CopyButton text={invitationLink(session.accountId)} what="the invitation" />
                        </div>
                      ) : null}
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
                cell: ({ member, isOwn, refusal }) => (
                  <div className="actions">
                    <RenameMember member={member} isOwn={isOwn} />
                    {isOwn ? <LeaveButton refusal={refusal} /> : <RemoveButton member={member} refusal={refusal} />}
                  </div>
                ),
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

/** Whether the service requires this member to stay an owner: no other owner has signed in before. */
function isLastOwner(members: readonly MemberItem[], { wallet, role, joinedAt }: MemberItem): boolean {
  if (role !== 'owner' || joinedAt === undefined) return false;
  const others = members.filter((one) => one.role === 'owner' && one.wallet !== wallet);
  return others.every((one) => one.joinedAt === undefined);
}

/** Removes the current user from the account. */
function LeaveButton({ refusal }: { readonly refusal: string | undefined }) {
  const leave = useMutation({
    mutationFn: () => routes.session.leaveAccount({ headers: {} }),
    onSuccess: beginAgain,
  });
  return (
    <div>
      <ConfirmButton
        text="Leave"
        title="Leave this account?"
        confirm="Leave account"
        refusal={refusal}
        isPending={leave.isPending}
        onConfirm={() => leave.mutate()}
      >
        Your sessions here end, and the authTokens that you created are revoked. Only an owner can invite you again.
      </ConfirmButton>
      <Problem error={leave.error} />
    </div>
  );
}

type RemoveButtonProps = { readonly member: MemberItem; readonly refusal: string | undefined };

/** Removes another member from the account. */
function RemoveButton({ member, refusal }: RemoveButtonProps) {
  const { wallet } = member;
  const remove = useMutation({
    mutationFn: () => routes.member.remove({ headers: {}, params: { wallet } }),
  });
  return (
    <div>
      <ConfirmButton
        text="Remove"
        label={`Remove ${wallet}`}
        title="Remove this member?"
        confirm="Remove member"
        needs={scopes}
        refusal={refusal}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          <MemberName member={member} /> loses access immediately: its sessions end, and the authTokens it created are
          revoked. Programs that use them are refused.
        </p>
      </ConfirmButton>
      <Problem error={remove.error} />
    </div>
  );
}

export const roleNames: { readonly [Name in Role]: string } = { owner: 'Owner', manager: 'Manager', viewer: 'Viewer' };

/** What a role allows, as half a sentence. */
export const roleLabels: { readonly [Name in Role]: string } = {
  owner: 'everything, including members and the funding wallet',
  manager: 'change settings, except members and the funding wallet',
  viewer: 'read only',
};

type RoleFormProps = {
  readonly member: MemberItem;
  readonly isOwn: boolean;
  /** Why it cannot be lowered. */
  readonly refusal: string | undefined;
};

/** Shows and changes a member's role. */
function RoleForm({ member, isOwn, refusal }: RoleFormProps) {
  const { wallet, role } = member;
  const whyNot = useWhyNot(scopes) ?? refusal;
  const [chosen, setChosen] = useState<Role>(role);
  const change = useMutation({
    mutationFn: () => routes.member.change({ headers: {}, params: { wallet }, body: { role: chosen } }),
  });
  if (whyNot !== undefined) return <span title={whyNot}>{roleNames[role]}</span>;
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
              {roleNames[each]}
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
              <MemberName member={member} /> will then have these permissions: {roleLabels[chosen]}. This applies
              immediately to its sessions and the authTokens it created.
              {isOwn ? ' You cannot undo this yourself.' : ''}
            </p>
          </ConfirmButton>
        )}
      </div>
      <Problem error={change.error} />
    </div>
  );
}

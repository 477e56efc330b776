import { useMutation, useQuery } from '@tanstack/react-query';
import type { AddMemberRequest } from '@tollfree/contract/access/member';
import { type Role, roles } from '@tollfree/contract/access/role';
import { scopes } from '@tollfree/contract/access/scope';
import { maxNameLength } from '@tollfree/contract/limits';
import { useState } from 'react';
import { routes } from '../../api/routes.ts';
import { sessionQuery } from '../../api/session.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Choice } from '../../parts/choice.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Notice } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { Value } from '../../parts/value.tsx';
import { invitationLink } from './invitation-link.ts';
import { roleLabels, roleNames } from './member-list.tsx';
import { MemberName } from './member-name.tsx';

const choices = roles.map((value) => ({ value, text: roleNames[value] })).reverse();

/** Invites a wallet by its address; it joins with its first sign-in. */
export function MemberForm() {
  const whyNot = useWhyNot(scopes);
  const { data: session } = useQuery(sessionQuery);
  const [name, setName] = useState('');
  const [wallet, setWallet] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const add = useMutation({
    mutationFn: (body: AddMemberRequest) => routes.member.add({ headers: {}, body }),
    onSuccess: () => {
      setName('');
      setWallet('');
    },
  });
  if (whyNot !== undefined) return <Notice>{whyNot}</Notice>;
  return (
    <div className="stack">
      <FieldForm
        action={add}
        submit="Invite"
        needs={scopes}
        onSubmit={() =>
          add.mutate({ wallet: wallet.trim(), role, ...(name.trim() === '' ? {} : { name: name.trim() }) })
        }
      >
        <TextInput
          label="Name"
          name="name"
          hint="Optional. Shown with the address, such as “Ada, support”. The member can change it."
          maxLength={maxNameLength}
          value={name}
          onChange={setName}
        />
        <div className="form-row">
          <TextInput
            label="Address of the wallet"
            hint="Get the address from a trusted source: this wallet will have access."
            placeholder="0x…"
            isRequired
            isCode
            value={wallet}
            onChange={setWallet}
            check={(text) =>
              /^0x[0-9a-fA-F]{40}$/.test(text.trim()) ? undefined : 'An address is 0x and 40 hex digits.'
            }
          />
          <Choice
            label="Role"
            hint={`Permissions: ${roleLabels[role]}.`}
            value={role}
            options={choices}
            onChange={setRole}
          />
        </div>
      </FieldForm>
      <div role="status">
        {add.data === undefined ? null : (
          <Notice kind="good">
            <p>
              <MemberName member={add.data} /> is invited as {add.data.role}. Send this link. The wallet joins by
              signing in there.
            </p>
            {session ? <Value text={invitationLink(session.accountId)} what="link" /> : null}
          </Notice>
        )}
      </div>
    </div>
  );
}

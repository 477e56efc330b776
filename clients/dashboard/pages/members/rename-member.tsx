import { useMutation } from '@tanstack/react-query';
import type { MemberItem } from '@tollfree/contract/access/member';
import { type Scope, scopes } from '@tollfree/contract/access/scope';
import { maxNameLength } from '@tollfree/contract/limits';
import { useState } from 'react';
import { routes } from '../../api/routes.ts';
import { FieldForm } from '../../parts/field-form.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { Short } from '../../parts/value.tsx';

type RenameMemberProps = { readonly member: MemberItem; readonly isOwn: boolean };

/** Gives a member another name: members rename themselves, owners everyone. */
export function RenameMember({ member, isOwn }: RenameMemberProps) {
  const needs: readonly Scope[] = isOwn ? [] : scopes;
  return (
    <PanelButton
      text={member.name === undefined ? 'Add name' : 'Rename'}
      label={member.name === undefined ? `Add name to ${member.wallet}` : `Rename ${member.wallet}`}
      needs={needs}
      title={isOwn ? 'Your name' : 'Name of this member'}
      lead="Everyone who can read this account sees it, here and in the audit log."
    >
      {(close) => <RenameForm member={member} needs={needs} onDone={close} />}
    </PanelButton>
  );
}

type RenameFormProps = {
  readonly member: MemberItem;
  readonly needs: readonly Scope[];
  readonly onDone: () => void;
};

function RenameForm({ member, needs, onDone }: RenameFormProps) {
  const [name, setName] = useState(member.name ?? '');
  const rename = useMutation({
    mutationFn: () =>
      routes.member.rename({ headers: {}, params: { wallet: member.wallet }, body: { name: name.trim() } }),
    onSuccess: () => {
      toast('Name saved.');
      onDone();
    },
  });
  return (
    <FieldForm action={rename} submit="Save name" needs={needs} onSubmit={() => rename.mutate()}>
      <p>
        Of the wallet <Short hex={member.wallet} />
      </p>
      <TextInput label="Name" name="name" isRequired maxLength={maxNameLength} value={name} onChange={setName} />
    </FieldForm>
  );
}

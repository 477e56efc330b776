import { maxNameLength, maxPolicyDescription } from '@tollfree/contract/limits';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ReactNode, useState } from 'react';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { FieldForm, type FieldFormProps } from '../../parts/field-form.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { IconInput } from './icon-input.tsx';

/** The name of a named policy, and its texts for users. */
export type PolicyHead = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon'>;

type HeadFormProps = {
  readonly head?: PolicyHead;
  /** Further fields of the form. */
  readonly children?: ReactNode;
  readonly onSubmit: (head: PolicyHead) => void;
} & Pick<FieldFormProps, 'action' | 'submit'>;

/** The name of a named policy, and its texts for users. */
export function HeadForm({ head, children, submit, action, onSubmit }: HeadFormProps) {
  const paymaster = usePaymaster();
  const [name, setName] = useState(head?.name ?? '');
  const [description, setDescription] = useState(head?.description ?? '');
  const [author, setAuthor] = useState(head?.author ?? '');
  const [icon, setIcon] = useState(head?.icon);
  return (
    <FieldForm
      action={action}
      submit={submit}
      onSubmit={() => {
        onSubmit({
          name: name.trim(),
          ...omitAbsent({ description: description.trim() || undefined, author: author.trim() || undefined, icon }),
        });
      }}
    >
      <TextInput
        label="Name"
        hint="Such as “spring campaign”. Visible to users."
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
      <TextInput
        label="Description"
        hint="What it sponsors, in words for your users. Optional."
        rows={2}
        maxLength={maxPolicyDescription}
        value={description}
        onChange={setDescription}
      />
      <TextInput
        label="Sponsor"
        hint={`Shown to your users; “${paymaster.name}” if empty.`}
        maxLength={maxNameLength}
        value={author}
        onChange={setAuthor}
      />
      <IconInput icon={icon} onChange={setIcon} />
      {children}
    </FieldForm>
  );
}

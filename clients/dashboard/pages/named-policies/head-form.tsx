import { maxNameLength, maxPolicyDescription } from '@tollfree/contract/limits';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { IconInput } from './icon-input.tsx';

/** The name of a named policy, and its texts for users. */
export type PolicyHead = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon'>;

type HeadFormProps = {
  readonly head?: PolicyHead;
  /** Further fields of the form. */
  readonly children?: ReactNode;
  /** Label of the submit button. */
  readonly submit: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: (head: PolicyHead) => void;
};

/** The name of a named policy, and its texts for users. */
export function HeadForm({ head, children, submit, isPending, error, onSubmit }: HeadFormProps) {
  const paymaster = usePaymaster();
  const [name, setName] = useState(head?.name ?? '');
  const [description, setDescription] = useState(head?.description ?? '');
  const [author, setAuthor] = useState(head?.author ?? '');
  const [icon, setIcon] = useState(head?.icon);
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
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
      <div className="actions">
        <Button type="submit" kind="primary" needs={['manage']} isPending={isPending}>
          {submit}
        </Button>
      </div>
      <Problem error={error} />
    </Form>
  );
}

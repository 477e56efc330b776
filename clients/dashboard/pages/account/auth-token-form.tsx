import { useMutation } from '@tanstack/react-query';
import { maxNameLength } from '@tollfree/contract/limits';
import type { CreateAuthTokenRequest, CreatedAuthToken } from '@tollfree/contract/sign-in/auth-token';
import { useState } from 'react';
import { routes } from '../../api/routes.ts';
import { Choice } from '../../parts/choice.tsx';
import { DocLink } from '../../parts/doc-link.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { ShownOnce } from '../../parts/panel.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { Value } from '../../parts/value.tsx';

const expiries = [
  { value: '30', text: 'In 30 days' },
  { value: '90', text: 'In 90 days' },
  { value: '365', text: 'In a year' },
  { value: 'never', text: 'Never' },
] as const;
const rights = [
  { value: 'mine', text: 'All your permissions', scopes: undefined },
  { value: 'manage', text: 'Read and change settings', scopes: ['read', 'manage'] },
  { value: 'read', text: 'Read', scopes: ['read'] },
] as const;
type Right = (typeof rights)[number]['value'];
type Expiry = (typeof expiries)[number]['value'];

/** Creates an authToken and shows it once. */
export function AuthTokenForm({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [right, setRight] = useState<Right>('mine');
  const create = useMutation({
    gcTime: 0,
    mutationFn: (body: CreateAuthTokenRequest) => routes.authToken.create({ headers: {}, body }),
  });
  if (create.data !== undefined) return <Created token={create.data} onDone={onDone} />;
  return (
    <FieldForm
      action={create}
      submit="Create authToken"
      onSubmit={() => {
        const scopes = rights.find(({ value }) => value === right)?.scopes;
        create.mutate({
          name,
          ...(scopes && { scopes: [...scopes] }),
          ...(expiry === 'never' ? {} : { expiresInDays: Number(expiry) }),
        });
      }}
    >
      <div className="form-row">
        <TextInput
          label="Name"
          name="name"
          hint="What uses it, such as a server."
          isRequired
          maxLength={maxNameLength}
          value={name}
          onChange={setName}
        />
        <Choice label="Permissions" value={right} options={rights} onChange={setRight} />
        <Choice label="Expires" value={expiry} options={expiries} onChange={setExpiry} />
      </div>
      <p className="hint">
        <DocLink to="scopes" />
      </p>
    </FieldForm>
  );
}

function Created({ token, onDone }: { readonly token: CreatedAuthToken; readonly onDone: () => void }) {
  return (
    <ShownOnce onDone={onDone}>
      <p>
        <strong>Copy the authToken “{token.name}” now.</strong> It is not shown again.
      </p>
      <p>
        <Value text={token.authToken} what="authToken" />
      </p>
    </ShownOnce>
  );
}

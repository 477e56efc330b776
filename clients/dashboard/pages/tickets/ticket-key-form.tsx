import { useMutation } from '@tanstack/react-query';
import { maxNameLength } from '@tollfree/contract/limits';
import type { CreateTicketKeyRequest } from '@tollfree/contract/ticket-key';
import { useState } from 'react';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { ShownOnce } from '../../parts/panel.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { Value } from '../../parts/value.tsx';
import { noSource, readPublicKey, type TicketKeySource, TicketKeySourceFields } from './ticket-key-source-fields.tsx';

type Kind = CreateTicketKeyRequest['kind'];

const kinds = [
  { value: 'ES256', text: 'Generate a key pair; your server gets the private key (ES256)' },
  { value: 'EDDSA', text: 'Generate a key pair; your server gets the private key (EdDSA)' },
  { value: 'HS256', text: 'Generate a secret shared by your server and this service (HS256)' },
  { value: 'JWK', text: 'My own public key' },
  { value: 'JWKS', text: 'My login: an OpenID provider that publishes its keys' },
] as const satisfies readonly { readonly value: Kind; readonly text: string }[];

/** Adds a ticket key: a new one, whose secret is shown once; the user's own; or those of a login provider. */
export function TicketKeyForm({ onDone }: { readonly onDone: () => void }) {
  const paymaster = usePaymaster();
  const params = { paymasterId: paymaster.paymasterId };
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('ES256');
  const [source, setSource] = useState(noSource);
  const create = useMutation({
    gcTime: 0,
    mutationFn: (body: CreateTicketKeyRequest) => routes.ticketKey.create({ headers: {}, params, body }),
    // The secret is shown here once.
    onSuccess: ({ secret }) => {
      if (secret !== undefined) return;
      toast(`Key “${name.trim()}” added.`);
      onDone();
    },
  });
  if (create.data?.secret !== undefined) {
    return (
      <ShownOnce onDone={onDone}>
        <p>
          <strong>Copy the key that signs your tickets now.</strong> It is shown only once.
        </p>
        <p>
          <Value text={JSON.stringify(create.data.secret)} what="signing key" />
        </p>
      </ShownOnce>
    );
  }
  return (
    <FieldForm
      action={create}
      submit="Add key"
      onSubmit={() => create.mutate({ name: name.trim(), kind, ...fieldsOf(kind, source) })}
    >
      <TextInput
        label="Name"
        name="name"
        hint="What signs with it, such as “backend” or “login”."
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
      <Choice
        label="Type"
        hint="If you are not sure: choose your login if you have one, otherwise a generated key pair."
        value={kind}
        options={kinds}
        onChange={setKind}
      />
      <TicketKeySourceFields kind={kind} source={source} onChange={setSource} />
    </FieldForm>
  );
}

function fieldsOf(kind: Kind, { publicKey, jwksUrl, issuer, audience }: TicketKeySource) {
  const claims = {
    ...(issuer.trim() === '' ? {} : { issuer: issuer.trim() }),
    ...(audience.trim() === '' ? {} : { audience: audience.trim() }),
  };
  if (kind === 'JWKS') return { jwksUrl: jwksUrl.trim(), ...claims };
  if (kind !== 'JWK') return {};
  const read = readPublicKey(publicKey);
  return 'key' in read ? { publicKey: read.key, ...claims } : claims;
}

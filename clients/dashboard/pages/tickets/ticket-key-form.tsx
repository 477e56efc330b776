import { useMutation, useQueryClient } from '@tanstack/react-query';
import { maxIssuerLength, maxNameLength, maxUrlLength } from '@tollfree/contract/limits';
import type { CreateTicketKeyRequest } from '@tollfree/contract/tickets/ticket-key';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { dataOf } from '../../api/data-of.ts';
import { ticketKeysQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

type Kind = CreateTicketKeyRequest['kind'];

const kinds = [
  { value: 'ES256', text: 'A new pair, ES256: the private half is for your backend' },
  { value: 'EDDSA', text: 'A new pair, EdDSA: the private half is for your backend' },
  { value: 'HS256', text: 'A new secret that both share, HS256' },
  { value: 'JWKS', text: 'Your login: the list of keys of an OpenID provider' },
] as const satisfies readonly { readonly value: Kind; readonly text: string }[];

const noList = { jwksUrl: '', issuer: '', audience: '' };

/** Makes a key, and shows what signs once; or registers a login. Keys of one's own are for the command line. */
export function TicketKeyForm() {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const params = { paymasterId: paymaster.paymasterId };
  const [name, setName] = useState('');
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('ES256');
  const [list, setList] = useState(noList);
  const create = useMutation({
    gcTime: 0,
    mutationFn: (body: CreateTicketKeyRequest) => dataOf(routes.ticketKey.create({ headers: {}, params, body })),
    onSuccess: () => {
      setName('');
      setList(noList);
    },
    onSettled: () => client.invalidateQueries(ticketKeysQuery(paymaster)),
  });
  const set = (field: keyof typeof noList) => (value: string) => setList((before) => ({ ...before, [field]: value }));
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name: name.trim(), kind, ...(kind === 'JWKS' ? list : {}) });
      }}
    >
      <div className="form-row">
        <TextInput label="Name" isRequired maxLength={maxNameLength} value={name} onChange={setName} />
        <Choice label="Kind" value={kind} options={kinds} onChange={setKind} />
      </div>
      {kind === 'JWKS' ? (
        <div className="form-row">
          <TextInput
            label="URL of its keys"
            placeholder="https://"
            hint="Has to be https and public, unless the operator allows others."
            isRequired
            maxLength={maxUrlLength}
            value={list.jwksUrl}
            onChange={set('jwksUrl')}
          />
          <TextInput
            label="Issuer (iss)"
            isRequired
            maxLength={maxIssuerLength}
            value={list.issuer}
            onChange={set('issuer')}
          />
          <TextInput
            label="Audience (aud)"
            isRequired
            maxLength={maxIssuerLength}
            value={list.audience}
            onChange={set('audience')}
          />
        </div>
      ) : null}
      <div className="actions">
        <Button type="submit" kind="primary" isPending={create.isPending}>
          Add key
        </Button>
      </div>
      <div role="status">
        {create.data?.secret === undefined ? null : (
          <Notice kind="good">
            What signs your tickets, shown this once:{' '}
            <Value text={JSON.stringify(create.data.secret)} what="signing key" />
          </Notice>
        )}
      </div>
      <Problem error={create.error} />
    </Form>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { maxIdLength, maxNameLength } from '@tollfree/contract/limits';
import type { CreatePaymasterRequest } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { dataOf } from '../../api/data-of.ts';
import { paymastersQuery } from '../../api/paymasters.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';

/** Creates a paymaster, and goes to it. */
export function PaymasterForm() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [chainId, setChainId] = useState('');
  const [version, setVersion] = useState('');
  const create = useMutation({
    mutationFn: (body: CreatePaymasterRequest) => dataOf(routes.paymaster.create({ headers: {}, body })),
    onSuccess: async ({ paymasterId }) => {
      await client.invalidateQueries(paymastersQuery);
      await navigate({ to: '/paymasters/$paymasterId', params: { paymasterId } });
    },
  });
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name, type: 'HYBRID', chainId: Number(chainId), version });
      }}
    >
      <TextInput
        label="Name"
        hint="What you call the application."
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
      <div className="form-row">
        <TextInput
          label="Chain id"
          hint="137 is Polygon, 8453 is Base."
          isRequired
          numeric
          value={chainId}
          onChange={setChainId}
          check={(text) => (/^[1-9]\d{0,14}$/.test(text) ? undefined : 'A chain id is a whole number, such as 137.')}
        />
        <TextInput
          label="Version"
          hint="Which of the operator’s paymaster contracts; it also decides the EntryPoint. Ask the operator."
          placeholder="2.0.0"
          isRequired
          maxLength={maxIdLength}
          value={version}
          onChange={setVersion}
        />
      </div>
      <div className="actions">
        <Button type="submit" kind="primary" isPending={create.isPending}>
          Create paymaster
        </Button>
      </div>
      <Problem error={create.error} />
    </Form>
  );
}

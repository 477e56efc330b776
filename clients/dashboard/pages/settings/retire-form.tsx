import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { bodyOf } from '../../api/body-of.ts';
import { paymastersQuery } from '../../api/paymasters.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

/** Ends a paymaster for good, once its name has been typed. */
export function RetireForm() {
  const { paymasterId, name } = usePaymaster();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const retire = useMutation({
    mutationFn: () => bodyOf(routes.paymaster.retire({ headers: {}, params: { paymasterId }, body: { name: typed } })),
    onSettled: () => client.invalidateQueries(paymastersQuery),
  });
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        retire.mutate();
      }}
    >
      <ul className="sentences">
        <li>It never sponsors anything again and becomes read-only. This cannot be undone.</li>
        <li>Its other apiKeys end. Its own apiKey can only read the ledger.</li>
        <li>Operations that are already signed can still land and are paid.</li>
        <li>Gas tank, statements, usage and activity stay. The balance can be withdrawn as before.</li>
        <li>It stays in the list of your paymasters and keeps its name.</li>
      </ul>
      <TextInput label="Type its name to retire it" hint={name} value={typed} onChange={setTyped} />
      <div className="actions">
        <Button type="submit" kind="danger" needs={['manage']} isDisabled={typed !== name} isPending={retire.isPending}>
          Retire paymaster
        </Button>
      </div>
      <Problem error={retire.error} />
    </Form>
  );
}

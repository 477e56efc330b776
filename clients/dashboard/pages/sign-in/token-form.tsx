import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { dataOf } from '../../api/data-of.ts';
import { routes } from '../../api/routes.ts';
import { sessionKey } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';

/** Signs in with an authToken, which is discarded after sending. */
export function TokenForm() {
  const client = useQueryClient();
  const [authToken, setAuthToken] = useState('');
  const signIn = useMutation({
    meta: { signsIn: true },
    gcTime: 0,
    mutationFn: (token: string) => dataOf(routes.session.create({ body: { authToken: token } })),
    onSuccess: (session) => client.setQueryData(sessionKey, session),
    onSettled: () => setAuthToken(''),
  });
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(authToken.trim());
      }}
    >
      <TextInput label="authToken" type="password" isRequired value={authToken} onChange={setAuthToken} />
      <div className="actions">
        <Button type="submit" isPending={signIn.isPending}>
          Sign in
        </Button>
      </div>
      <Problem error={signIn.error} />
    </Form>
  );
}

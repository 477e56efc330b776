import { useMutation, useQueryClient } from '@tanstack/react-query';
import { maxIdLength } from '@tollfree/contract/limits';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { webhookQuery } from '../../api/of-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

/** Opens a webhook that was added before. */
export function WebhookFinder({ onFound }: { readonly onFound: (webhookId: string) => void }) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const [id, setId] = useState('');
  const find = useMutation({
    mutationFn: async (webhookId: string) => {
      const found = await client.fetchQuery(webhookQuery(paymaster, webhookId));
      if (found.length === 0)
        throw new Error('This paymaster has no webhook with that id. Check it, and the paymaster.');
      return webhookId;
    },
    onSuccess: (webhookId) => {
      setId('');
      onFound(webhookId);
    },
  });
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        find.mutate(id.trim());
      }}
    >
      <TextInput label="Webhook id" isCode isRequired maxLength={maxIdLength} value={id} onChange={setId} />
      <div className="actions">
        <Button type="submit" isPending={find.isPending}>
          Open webhook
        </Button>
      </div>
      <Problem error={find.error} />
    </Form>
  );
}

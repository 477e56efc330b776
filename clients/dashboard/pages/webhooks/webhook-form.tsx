import { useMutation } from '@tanstack/react-query';
import { maxUrlLength } from '@tollfree/contract/limits';
import type { CreateWebhookRequest } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { wrongUrl } from '../../parts/text/wrong-url.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';

const ways = [
  { value: 'POST', text: 'The data of your client (POST)' },
  { value: 'OPERATION', text: 'Also the operation, its calls and its cost (POST)' },
  { value: 'GET', text: 'The data of your client in the query (GET)' },
] as const;

/** Its method and payload. */
function settingsOf(way: (typeof ways)[number]['value']): Pick<CreateWebhookRequest, 'requestType' | 'payload'> {
  return way === 'OPERATION' ? { requestType: 'POST', payload: way } : { requestType: way };
}

/** Adds a webhook. */
export function WebhookForm({ onDone }: { readonly onDone: () => void }) {
  const paymaster = usePaymaster();
  const [webhookUrl, setUrl] = useState('');
  const [way, setWay] = useState<(typeof ways)[number]['value']>('POST');
  const create = useMutation({
    mutationFn: (body: CreateWebhookRequest) => routes.webhook.create({ headers: headersOf(paymaster), body }),
    onSuccess: () => {
      toast('Webhook added.');
      onDone();
    },
  });
  return (
    <FieldForm
      action={create}
      submit="Add webhook"
      onSubmit={() => create.mutate({ webhookUrl: webhookUrl.trim(), ...settingsOf(way) })}
    >
      <TextInput
        label="URL"
        name="webhookUrl"
        placeholder="https://"
        hint="Must be https and public, unless the operator allows others."
        isRequired
        maxLength={maxUrlLength}
        value={webhookUrl}
        onChange={setUrl}
        check={wrongUrl}
      />
      <Choice label="What it gets" value={way} options={ways} onChange={setWay} />
    </FieldForm>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { maxUrlLength } from '@tollfree/contract/limits';
import type { ListedWebhookItem } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { bodyOf } from '../../api/body-of.ts';
import { headersOf, webhooksQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

type WebhookUrlFormProps = { readonly webhook: ListedWebhookItem; readonly onDone: () => void };

/** Changes a webhook's URL; its id and its secret stay. */
export function WebhookUrlForm({ webhook: { webhookId, webhookUrl, active }, onDone }: WebhookUrlFormProps) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const [url, setUrl] = useState(webhookUrl);
  const save = useMutation({
    mutationFn: () =>
      bodyOf(
        routes.webhook.update({
          headers: headersOf(paymaster),
          body: { webhookId, active, webhookUrl: url.trim() },
        }),
      ),
    onSuccess: () => {
      toast('The webhook has its new URL.');
      onDone();
    },
    onSettled: () => client.invalidateQueries(webhooksQuery(paymaster)),
  });
  return (
    <FieldForm error={save.error} onSubmit={() => save.mutate()}>
      <TextInput
        label="URL"
        name="webhookUrl"
        hint="Id and signing secret stay."
        isRequired
        maxLength={maxUrlLength}
        value={url}
        onChange={setUrl}
      />
      <div className="actions">
        <Button type="submit" kind="primary" needs={['manage']} isPending={save.isPending}>
          Save URL
        </Button>
      </div>
    </FieldForm>
  );
}

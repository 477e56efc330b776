import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListedWebhookItem } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { bodyOf } from '../../api/body-of.ts';
import { headersOf, webhooksQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { failureChoiceOf, failureSettings } from './failure-choice.ts';
import { FailureFields } from './failure-fields.tsx';

/** Shows and changes what happens while a webhook is down. */
export function WebhookFailure({ webhook }: { readonly webhook: ListedWebhookItem }) {
  const { webhookId, active } = webhook;
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const [choice, setChoice] = useState(failureChoiceOf(webhook));
  const settings = failureSettings(choice);
  const save = useMutation({
    mutationFn: () =>
      bodyOf(routes.webhook.update({ headers: headersOf(paymaster), body: { webhookId, active, ...settings } })),
    onSettled: () => client.invalidateQueries(webhooksQuery(paymaster)),
  });
  return (
    <details>
      <summary>If it is down: {describe(webhook)}</summary>
      <div className="details-body">
        <Form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (settings !== undefined) save.mutate();
          }}
        >
          <FailureFields value={choice} onChange={setChoice} />
          <p className="small muted">Changing this resets the amount already sponsored without it.</p>
          <div className="actions">
            <Button type="submit" needs={['manage']} isPending={save.isPending}>
              Save
            </Button>
          </div>
          <Problem error={save.error} />
        </Form>
      </div>
    </details>
  );
}

function describe(webhook: ListedWebhookItem): string {
  const { when, amount } = failureChoiceOf(webhook);
  if (when === 'REFUSE') return 'nothing is sponsored';
  return `operations are sponsored without it, up to ${amount} of the native coin in ${when === 'HOUR' ? 'an hour' : 'a day'}`;
}

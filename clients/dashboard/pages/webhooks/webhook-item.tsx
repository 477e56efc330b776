import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListedWebhookItem, WebhookAnswerItem } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { bodyOf } from '../../api/body-of.ts';
import { dataOf } from '../../api/data-of.ts';
import { headersOf, webhookAnswersQuery, webhooksQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { WebhookAnswers } from './webhook-answers.tsx';
import { WebhookFailure } from './webhook-failure.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookUrlForm } from './webhook-url-form.tsx';

/** A webhook with its actions, its answers and its secret. */
export function WebhookItem({ webhook }: { readonly webhook: ListedWebhookItem }) {
  const { webhookId, webhookUrl, requestType, payload, active } = webhook;
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const headers = headersOf(paymaster);
  const readAgain = () => client.invalidateQueries(webhooksQuery(paymaster));
  const update = useMutation({
    mutationFn: () => bodyOf(routes.webhook.update({ headers, body: { webhookId, active: !active } })),
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: () => bodyOf(routes.webhook.delete({ headers, body: { webhookId } })),
    onSettled: readAgain,
  });
  return (
    <div className="stack">
      <div className="page-head">
        <div>
          <h3>
            <code>{webhookUrl}</code>
          </h3>
          <p>
            <Badge kind={active ? 'good' : 'warn'}>{active ? 'Active' : 'Paused'}</Badge>{' '}
            <span className="muted">
              called with {requestType}
              {payload === 'OPERATION' ? ', with the operation' : ''}
            </span>
          </p>
          <p className="small">
            id <Value text={webhookId} what="webhook id" />
          </p>
        </div>
        <div className="actions">
          <PanelButton text="Edit URL" needs={['manage']} title="Edit the URL">
            {(close) => <WebhookUrlForm webhook={webhook} onDone={close} />}
          </PanelButton>
          <Button needs={['manage']} isPending={update.isPending} onPress={() => update.mutate()}>
            {active ? 'Pause' : 'Resume'}
          </Button>
          <ConfirmButton
            text="Delete"
            needs={['manage']}
            title="Delete this webhook?"
            confirm="Delete webhook"
            isPending={remove.isPending}
            onConfirm={() => remove.mutate()}
          >
            It is no longer called. Whatever contracts and policy allow is sponsored without it.
          </ConfirmButton>
        </div>
      </div>
      <WebhookFailure webhook={webhook} />
      <WebhookTest webhookId={webhookId} />
      <WebhookSecret webhookId={webhookId} />
      <Problem error={update.error ?? remove.error} />
    </div>
  );
}

/** Test-calls a webhook, and shows its answers. */
function WebhookTest({ webhookId }: { readonly webhookId: string }) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const test = useMutation({
    mutationFn: () => dataOf(routes.webhook.test({ headers: headersOf(paymaster), params: { webhookId } })),
    onSettled: () => client.invalidateQueries(webhookAnswersQuery(paymaster, webhookId)),
  });
  return (
    <div className="stack">
      <div className="actions">
        <Button needs={['manage']} isPending={test.isPending} onPress={() => test.mutate()}>
          Send a test call
        </Button>
        <Button isExpanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide answers' : 'Show answers'}
        </Button>
      </div>
      <div role="status">
        {test.data === undefined ? null : (
          <Notice kind={test.data.verdict === 'unavailable' ? 'bad' : 'good'}>{describeAnswer(test.data)}</Notice>
        )}
      </div>
      <Problem error={test.error} />
      {isOpen ? <WebhookAnswers webhookId={webhookId} /> : null}
    </div>
  );
}

/** The outcome of a call, in a sentence. */
function describeAnswer({ verdict, status, problem, durationMs }: WebhookAnswerItem): string {
  const time = `${durationMs} ms`;
  if (verdict === 'unavailable') return `The webhook ${problem ?? 'gave no usable answer'}. It took ${time}.`;
  const said = verdict === 'approved' ? 'yes: the operation would be sponsored' : 'no: the operation would be refused';
  return `The webhook said ${said}. It answered ${status ?? ''} in ${time}.`;
}

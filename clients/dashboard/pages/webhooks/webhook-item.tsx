import { useMutation } from '@tanstack/react-query';
import { maxUrlLength } from '@tollfree/contract/limits';
import type { ListedWebhookItem, WebhookAnswerItem } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch } from '../../api/use-save.ts';
import { CalledUrl } from '../../parts/called-url.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { wrongUrl } from '../../parts/text/wrong-url.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { Value } from '../../parts/value.tsx';
import { useSaveWebhook, webhookSettings } from './use-save-webhook.ts';
import { AnswerSummary, type WebhookWithAnswers } from './webhook-answers.tsx';

/** A webhook with how it answers, its secret and its actions. */
export function WebhookItem({ webhook, answers }: WebhookWithAnswers) {
  const { webhookId, webhookUrl, requestType, payload, active } = webhook;
  const headers = headersOf(usePaymaster());
  const save = useSaveWebhook(webhook);
  const seen = webhookSettings(webhook);
  const test = useMutation({ mutationFn: () => routes.webhook.test({ headers, params: { webhookId } }) });
  return (
    <CalledUrl
      what="webhook"
      url={webhookUrl}
      isActive={active}
      about={`${requestType} · ${payload === 'OPERATION' ? 'gets the operation, its calls and its cost' : 'gets the data of your client'}`}
      details={
        <p>
          Webhook id <Value text={webhookId} what="webhook id" />
        </p>
      }
      test={{ text: 'Send a test call', onAction: () => test.mutate(), isPending: test.isPending }}
      edit={{ title: 'Edit URL', form: (close) => <WebhookUrlForm webhook={webhook} onDone={close} /> }}
      setActive={(next) => save.mutateAsync({ seen, mine: { ...seen.settings, active: next } })}
      remove={() => routes.webhook.delete({ headers: { ...headers, ...ifMatch(webhook.etag) }, body: { webhookId } })}
      whenDeleted="It is no longer called. Whatever contracts and policy allow is sponsored without it."
      signing={{
        readSecret: () => routes.webhook.readSecret({ headers, params: { webhookId } }),
        rotateSecret: () => routes.webhook.rotateSecret({ headers, params: { webhookId } }),
      }}
    >
      <AnswerSummary answers={answers} />
      <div role="status">
        {test.isPending ? <p className="small muted">Calling it …</p> : null}
        {test.data === undefined ? null : (
          <Notice kind={test.data.verdict === 'unavailable' ? 'bad' : 'good'}>{describeAnswer(test.data)}</Notice>
        )}
      </div>
      <Problem error={test.error} />
    </CalledUrl>
  );
}

/** The outcome of a call, in a sentence. */
function describeAnswer({ verdict, status, problem, durationMs }: WebhookAnswerItem): string {
  const time = `${durationMs} ms`;
  if (verdict === 'unavailable') return `The webhook ${problem ?? 'gave no usable answer'}. It took ${time}.`;
  const said = verdict === 'approved' ? 'yes: the operation would be sponsored' : 'no: the operation would be refused';
  return `The webhook said ${said}. It answered ${status ?? ''} in ${time}.`;
}

type WebhookUrlFormProps = { readonly webhook: ListedWebhookItem; readonly onDone: () => void };

/** Changes a webhook's URL; its id and its secret stay. */
function WebhookUrlForm({ webhook, onDone }: WebhookUrlFormProps) {
  // As the form was opened.
  const [seen] = useState(() => webhookSettings(webhook));
  const [url, setUrl] = useState(webhook.webhookUrl);
  const save = useSaveWebhook(webhook, () => {
    toast('The webhook has its new URL.');
    onDone();
  });
  return (
    <FieldForm
      action={save}
      submit="Save URL"
      onSubmit={() => save.mutate({ seen, mine: { ...seen.settings, webhookUrl: url.trim() } })}
    >
      <TextInput
        label="URL"
        name="webhookUrl"
        hint="Id and signing secret stay."
        isRequired
        maxLength={maxUrlLength}
        value={url}
        onChange={setUrl}
        check={wrongUrl}
      />
    </FieldForm>
  );
}

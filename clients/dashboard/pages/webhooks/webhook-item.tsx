import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { maxUrlLength } from '@tollfree/contract/limits';
import type { ListedWebhookItem, WebhookAnswerItem } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { headersOf, webhookAnswersQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch } from '../../api/use-save.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CalledUrl } from '../../parts/called-url.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Empty, Loaded, LoadOlder } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { wrongUrl } from '../../parts/text/wrong-url.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { Value } from '../../parts/value.tsx';
import { useSaveWebhook, webhookSettings } from './use-save-webhook.ts';

/** A webhook with its actions, its answers and its secret. */
export function WebhookItem({ webhook }: { readonly webhook: ListedWebhookItem }) {
  const { webhookId, webhookUrl, requestType, payload, active } = webhook;
  const headers = headersOf(usePaymaster());
  const save = useSaveWebhook(webhook);
  const seen = webhookSettings(webhook);
  return (
    <CalledUrl
      what="webhook"
      url={webhookUrl}
      isActive={active}
      about={`called with ${requestType}${payload === 'OPERATION' ? ', with the operation' : ''}`}
      more={
        <p className="small">
          id <Value text={webhookId} what="webhook id" />
        </p>
      }
      actions={
        <PanelButton text="Edit URL" needs={['manage']} title="Edit the URL">
          {(close) => <WebhookUrlForm webhook={webhook} onDone={close} />}
        </PanelButton>
      }
      setActive={(next) => save.mutateAsync({ seen, mine: { ...seen.settings, active: next } })}
      remove={() => routes.webhook.delete({ headers: { ...headers, ...ifMatch(webhook.etag) }, body: { webhookId } })}
      whenDeleted="It is no longer called. Whatever contracts and policy allow is sponsored without it."
      readSecret={() => routes.webhook.readSecret({ headers, params: { webhookId } })}
      rotateSecret={() => routes.webhook.rotateSecret({ headers, params: { webhookId } })}
    >
      <WebhookTest webhookId={webhookId} />
    </CalledUrl>
  );
}

/** Test-calls a webhook, and shows its answers. */
function WebhookTest({ webhookId }: { readonly webhookId: string }) {
  const paymaster = usePaymaster();
  const [isOpen, setOpen] = useState(false);
  const test = useMutation({
    mutationFn: () => routes.webhook.test({ headers: headersOf(paymaster), params: { webhookId } }),
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

const verdicts = {
  approved: { kind: 'good', text: 'Yes' },
  refused: { kind: 'warn', text: 'No' },
  unavailable: { kind: 'bad', text: 'No usable answer' },
} as const;

/** A webhook's answers and response times, newest first. */
function WebhookAnswers({ webhookId }: { readonly webhookId: string }) {
  const query = useInfiniteQuery(webhookAnswersQuery(usePaymaster(), webhookId));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages.flatMap(({ answers }, page) =>
          answers.map((answer, at) => ({ answer, key: `${page} ${at}` })),
        );
        if (rows.length === 0) return <Empty title="Not called yet.">Send a test call to start.</Empty>;
        return (
          <>
            <DataTable
              caption="Answers of the webhook"
              rows={rows}
              keyOf={({ key }) => key}
              columns={[
                { title: 'When', cell: ({ answer }) => <Moment at={answer.askedAt} /> },
                { title: 'Answer', cell: ({ answer }) => <Verdict answer={answer} /> },
                { title: 'HTTP status', cell: ({ answer }) => answer.status ?? 'none', isNumber: true },
                { title: 'Time', cell: ({ answer }) => `${answer.durationMs} ms`, isNumber: true },
              ]}
            />
            <LoadOlder query={query} />
          </>
        );
      }}
    </Loaded>
  );
}

function Verdict({ answer: { verdict, problem, isTest } }: { readonly answer: WebhookAnswerItem }) {
  const { kind, text } = verdicts[verdict];
  return (
    <div>
      <Badge kind={kind}>{text}</Badge> {isTest ? <span className="small muted">test call</span> : null}
      {problem === undefined ? null : <div className="small muted">It {problem}.</div>}
    </div>
  );
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

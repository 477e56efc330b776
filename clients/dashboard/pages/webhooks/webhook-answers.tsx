import { useQueries } from '@tanstack/react-query';
import type { ListedWebhookItem, WebhookAnswerItem } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { live } from '../../api/live.ts';
import { webhookAnswersQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/loaded.tsx';
import { Age, Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/problem.tsx';
import { Segments } from '../../parts/segments.tsx';

/** A webhook's newest answers; undefined until they are read. */
export type WebhookWithAnswers = {
  readonly webhook: ListedWebhookItem;
  readonly answers: readonly WebhookAnswerItem[] | undefined;
};

/** The webhooks with their answers, which are read again by themselves. */
export function useAnswers(webhooks: readonly ListedWebhookItem[]): readonly WebhookWithAnswers[] {
  const paymaster = usePaymaster();
  const read = useQueries({
    queries: webhooks.map(({ webhookId }) => ({
      ...webhookAnswersQuery(paymaster, webhookId),
      refetchInterval: live(webhooks.length),
    })),
  });
  return webhooks.map((webhook, index) => ({ webhook, answers: read[index]?.data?.answers }));
}

/** The host that is called, for lists. */
function hostOf({ webhookUrl }: ListedWebhookItem): string {
  return URL.canParse(webhookUrl) ? new URL(webhookUrl).host : webhookUrl;
}

/** From so many calls in a row without an answer on, it is said above the list. */
const incidentFrom = 3;

/** Says which active webhooks do not answer, since nothing is sponsored meanwhile. */
export function Incidents({ webhooks }: { readonly webhooks: readonly WebhookWithAnswers[] }) {
  return webhooks.map(({ webhook, answers = [] }) => {
    const answered = answers.findIndex(({ verdict }) => verdict !== 'unavailable');
    const failed = answered === -1 ? answers : answers.slice(0, answered);
    const [last] = failed;
    const first = failed.at(-1);
    if (!webhook.active || failed.length < incidentFrom || first === undefined) return null;
    return (
      <Notice key={webhook.webhookId} kind="bad">
        <p>
          <strong>
            {hostOf(webhook)} did not answer its last {failed.length} calls, since <Moment at={first.askedAt} />.
          </strong>
        </p>
        <p>
          It {last?.problem ?? 'gave no usable answer'}. Requests are refused until it answers again, or until you pause
          it.
        </p>
      </Notice>
    );
  });
}

const mostBars = 30;
const bars = { approved: 'yes', refused: 'no', unavailable: 'down' } as const;

/** The newest answers as bars as high as they took long, the share that was answered, and the usual time. */
export function AnswerSummary({ answers }: Pick<WebhookWithAnswers, 'answers'>) {
  const known = answers ?? [];
  const shown = known.slice(0, mostBars).toReversed();
  const longest = Math.max(1, ...shown.map(({ durationMs }) => durationMs));
  const answered = known.filter(({ verdict }) => verdict !== 'unavailable');
  const times = answered.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  const timeOf = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const percent = known.length === 0 ? undefined : Math.floor((answered.length / known.length) * 100);
  return (
    <div className="hook-summary">
      <div
        className="answers"
        role="img"
        aria-label={shown.length === 1 ? 'The last answer' : `The last ${shown.length} answers`}
      >
        {shown.map(({ askedAt, verdict, durationMs }, index) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: answers have no id, and several have the same second
            key={`${askedAt} ${index}`}
            className={bars[verdict]}
            style={{ height: `${Math.max(12, (durationMs / longest) * 100)}%` }}
          />
        ))}
      </div>
      <div>
        <strong className={percent !== undefined && percent < 100 ? 'warn-text' : undefined}>
          {percent === undefined ? '–' : `${percent} %`}
        </strong>
        <span className="under">{known.length === 0 ? 'not called yet' : `answered, of ${known.length}`}</span>
      </div>
      <div>
        <strong>{times.length === 0 ? '–' : `${timeOf(0.5)} ms`}</strong>
        <span className="under">{times.length === 0 ? '' : `95 of 100 in ${timeOf(0.95)} ms`}</span>
      </div>
    </div>
  );
}

const verdicts = {
  approved: { kind: 'good', text: 'Yes' },
  refused: { kind: 'warn', text: 'No' },
  unavailable: { kind: 'bad', text: 'No answer' },
} as const;

type Shown = 'all' | 'refused' | 'unavailable';
const mostRows = 20;

/** The newest answers of all webhooks in one list. */
export function LastAnswers({ webhooks }: { readonly webhooks: readonly WebhookWithAnswers[] }) {
  const [shown, setShown] = useState<Shown>('all');
  const rows = webhooks
    .flatMap(({ webhook, answers = [] }) =>
      answers.map((answer, index) => ({ webhook, answer, key: `${webhook.webhookId} ${answers.length - index}` })),
    )
    .filter(({ answer: { verdict } }) => shown === 'all' || verdict === shown)
    .sort((one, other) => other.answer.askedAt - one.answer.askedAt)
    .slice(0, mostRows);
  return (
    <Card
      title="Last answers"
      actions={
        <Segments
          label="Answers"
          value={shown}
          options={[
            { value: 'all', text: 'All' },
            { value: 'refused', text: 'No' },
            { value: 'unavailable', text: 'No answer' },
          ]}
          onChange={setShown}
        />
      }
    >
      {rows.length === 0 ? (
        <Empty title={shown === 'all' ? 'Not called yet.' : 'No such answer.'}>
          {shown === 'all' ? 'Send a test call to start.' : 'Show all to see the others.'}
        </Empty>
      ) : (
        <DataTable
          caption="Answers of the webhooks"
          layout="lines"
          rows={rows}
          keyOf={({ key }) => key}
          columns={[
            { title: 'Answer', cell: ({ answer: { verdict } }) => <Verdict verdict={verdict} /> },
            { title: 'Took', cell: ({ answer }) => `${answer.durationMs} ms`, isNumber: true },
            {
              title: 'What it said',
              cell: ({ webhook, answer }) => (
                <div>
                  {saidText(answer)}
                  {webhooks.length === 1 ? null : <span className="small muted"> {hostOf(webhook)}</span>}
                </div>
              ),
            },
            { title: 'When', cell: ({ answer }) => <Age at={answer.askedAt} />, isNumber: true },
          ]}
        />
      )}
    </Card>
  );
}

function Verdict({ verdict }: Pick<WebhookAnswerItem, 'verdict'>) {
  const { kind, text } = verdicts[verdict];
  return <Badge kind={kind}>{text}</Badge>;
}

function saidText({ status, problem, isTest }: WebhookAnswerItem): string {
  const said = problem === undefined ? `HTTP ${status ?? ''}` : `It ${problem}`;
  return isTest ? `${said} · test call` : said;
}

import { useInfiniteQuery } from '@tanstack/react-query';
import type { WebhookAnswerItem } from '@tollfree/contract/webhook';
import { webhookAnswersQuery } from '../../api/of-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

const verdicts = {
  approved: { kind: 'good', text: 'Yes' },
  refused: { kind: 'warn', text: 'No' },
  unavailable: { kind: 'bad', text: 'No usable answer' },
} as const;

/** A webhook's answers and response times, newest first. */
export function WebhookAnswers({ webhookId }: { readonly webhookId: string }) {
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
            {query.hasNextPage ? (
              <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                Older answers
              </Button>
            ) : null}
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

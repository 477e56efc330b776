import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/data-of.ts';
import { headersOf, webhookAnswersQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { describeAnswer } from './describe-answer.ts';
import { WebhookAnswers } from './webhook-answers.tsx';

/** Calls a webhook to see what it answers, and shows what it has answered. */
export function WebhookTest({ webhookId }: { readonly webhookId: string }) {
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

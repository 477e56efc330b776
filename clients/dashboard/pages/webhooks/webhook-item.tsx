import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../../api/body-of.ts';
import { headersOf, webhookQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { WebhookSecret } from './webhook-secret.tsx';

export type WebhookItemProps = { readonly webhookId: string; readonly onGone: () => void };

/** A webhook: paused, resumed and deleted here, and its secret. */
export function WebhookItem({ webhookId, onGone }: WebhookItemProps) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const headers = headersOf(paymaster);
  const query = useQuery(webhookQuery(paymaster, webhookId));
  const update = useMutation({
    mutationFn: (active: boolean) => bodyOf(routes.webhook.update({ headers, body: { webhookId, active } })),
    onSettled: () => client.invalidateQueries(webhookQuery(paymaster, webhookId)),
  });
  const remove = useMutation({
    mutationFn: () => bodyOf(routes.webhook.delete({ headers, body: { webhookId } })),
    onSuccess: onGone,
  });
  return (
    <Loaded query={query}>
      {([webhook]) =>
        webhook === undefined ? (
          <p className="muted">This webhook has been deleted.</p>
        ) : (
          <div className="stack">
            <div className="page-head">
              <div>
                <h3>
                  <code>{webhook.webhookUrl}</code>
                </h3>
                <p>
                  <Badge kind={webhook.active ? 'good' : 'warn'}>{webhook.active ? 'Active' : 'Paused'}</Badge>{' '}
                  <span className="muted">called with {webhook.requestType}</span>
                </p>
                <p className="small">
                  id <Value text={webhookId} what="webhook id" />
                </p>
              </div>
              <div className="actions">
                <Button isPending={update.isPending} onPress={() => update.mutate(!webhook.active)}>
                  {webhook.active ? 'Pause' : 'Resume'}
                </Button>
                <ConfirmButton
                  text="Delete"
                  title="Delete this webhook?"
                  confirm="Delete webhook"
                  isPending={remove.isPending}
                  onConfirm={() => remove.mutate()}
                >
                  It is no longer asked: what contracts and policy allow is paid for without it.
                </ConfirmButton>
              </div>
            </div>
            <WebhookSecret webhookId={webhookId} />
            <Problem error={update.error ?? remove.error} />
          </div>
        )
      }
    </Loaded>
  );
}

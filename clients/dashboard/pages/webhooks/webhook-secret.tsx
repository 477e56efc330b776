import { useMutation } from '@tanstack/react-query';
import { dataOf } from '../../api/data-of.ts';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

/** The secret that signs a webhook's calls (Standard Webhooks), shown on request and replaceable. */
export function WebhookSecret({ webhookId }: { readonly webhookId: string }) {
  const headers = headersOf(usePaymaster());
  const params = { webhookId };
  const show = useMutation({ gcTime: 0, mutationFn: () => dataOf(routes.webhook.readSecret({ headers, params })) });
  const rotate = useMutation({
    gcTime: 0,
    mutationFn: () => dataOf(routes.webhook.rotateSecret({ headers, params })),
    onSuccess: () => show.reset(),
  });
  const secret = show.data?.secret ?? rotate.data?.secret;
  const hide = () => {
    show.reset();
    rotate.reset();
  };
  return (
    <div className="stack">
      <div role="status">
        {secret === undefined ? null : (
          <p>
            Signing secret: <Value text={secret} what="signing secret" />
          </p>
        )}
      </div>
      <div className="actions">
        {secret === undefined ? (
          <Button needs={['manage']} isPending={show.isPending} onPress={() => show.mutate()}>
            Show signing secret
          </Button>
        ) : (
          <Button onPress={hide}>Hide signing secret</Button>
        )}
        <ConfirmButton
          text="Replace secret"
          needs={['manage']}
          title="Replace the signing secret?"
          confirm="Replace secret"
          isPending={rotate.isPending}
          onConfirm={() => rotate.mutate()}
        >
          Calls are signed with the new secret immediately. Your server rejects them until it knows the new secret.
        </ConfirmButton>
      </div>
      <Problem error={show.error ?? rotate.error} />
    </div>
  );
}

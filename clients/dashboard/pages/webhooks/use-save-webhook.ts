import { useQueryClient } from '@tanstack/react-query';
import type { ListedWebhookItem } from '@tollfree/contract/webhook';
import { changedSettings } from '../../api/merge-settings.ts';
import { headersOf, webhooksQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { useSave } from '../../api/use-save.ts';

type WebhookSettings = Pick<ListedWebhookItem, 'active' | 'webhookUrl'>;

/** What can be changed of a webhook, and its version. */
export function webhookSettings({ active, webhookUrl, etag }: ListedWebhookItem) {
  return { settings: { active, webhookUrl } satisfies WebhookSettings, etag };
}

/** Saves changes of a webhook, on top of those of others. */
export function useSaveWebhook(webhook: ListedWebhookItem, onSuccess?: () => void) {
  const { webhookId } = webhook;
  const paymaster = usePaymaster();
  const client = useQueryClient();
  return useSave({
    readNow: async () => {
      const { webhooks } = await client.fetchQuery({ ...webhooksQuery(paymaster), staleTime: 0 });
      return webhookSettings(webhooks.find((each) => each.webhookId === webhookId) ?? webhook);
    },
    write: (settings: WebhookSettings, version, before) =>
      routes.webhook.update({
        headers: { ...headersOf(paymaster), ...version },
        // An unchanged URL is not checked again.
        body: { webhookId, active: settings.active, ...changedSettings(settings, before) },
      }),
    ...(onSuccess === undefined ? {} : { onSuccess }),
  });
}

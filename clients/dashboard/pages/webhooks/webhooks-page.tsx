import { useQuery } from '@tanstack/react-query';
import { webhooksQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookItem } from './webhook-item.tsx';

/** The URLs that decide about sponsorships. */
export function WebhooksPage() {
  const query = useQuery(webhooksQuery(usePaymaster()));
  return (
    <Page
      title="Webhooks"
      lead="Your server is asked before an operation is sponsored. All active webhooks must say yes within two seconds."
      actions={
        <PanelButton text="New webhook" kind="primary" needs={['manage']} title="New webhook">
          {(close) => <WebhookForm onDone={close} />}
        </PanelButton>
      }
    >
      <Card title="Webhooks of this paymaster">
        <Loaded query={query}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Empty title="No webhooks yet.">
                Contracts and policy alone decide. Add a webhook to decide about each request yourself.
              </Empty>
            ) : (
              <ul className="list">
                {webhooks.map((webhook) => (
                  <li key={webhook.webhookId}>
                    <WebhookItem webhook={webhook} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { knownWebhooks } from './known-webhooks.ts';
import { WebhookFinder } from './webhook-finder.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookItem } from './webhook-item.tsx';

/** The URLs that are asked before something is sponsored. */
export function WebhooksPage() {
  const { paymasterId } = usePaymaster();
  const [ids, setIds] = useState(() => knownWebhooks.of(paymasterId));
  const add = (webhookId: string) => setIds(knownWebhooks.add(paymasterId, webhookId));
  const drop = (webhookId: string) => setIds(knownWebhooks.drop(paymasterId, webhookId));
  return (
    <Page
      title="Webhooks"
      lead="URLs of yours that are asked before an operation is paid for. All active ones have to agree, within two seconds."
    >
      <Card title="Added or opened here">
        {ids.length === 0 ? (
          <Empty title="None is open.">
            Add one below, or open one that you added before by its id. Without webhooks, contracts and policy decide
            alone.
          </Empty>
        ) : (
          <ul className="list">
            {ids.map((id) => (
              <li key={id}>
                <WebhookItem webhookId={id} onGone={() => drop(id)} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Add a webhook">
        <WebhookForm onAdded={add} />
      </Card>
      <Card title="Open a webhook by its id" lead="Its id was shown when it was added.">
        <WebhookFinder onFound={add} />
      </Card>
    </Page>
  );
}

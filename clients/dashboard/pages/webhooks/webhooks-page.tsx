import { useQuery } from '@tanstack/react-query';
import type { ListedWebhookItem } from '@tollfree/contract/webhook';
import { webhooksQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { HandlerSteps } from './handler-steps.tsx';
import { Incidents, LastAnswers, useAnswers } from './webhook-answers.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookItem } from './webhook-item.tsx';

/** The URLs that decide about sponsorships. */
export function WebhooksPage() {
  const query = useQuery(webhooksQuery(usePaymaster()));
  return (
    <Page
      title="Webhooks"
      lead="A URL of yours that says yes or no before an operation is paid for. All active ones have to say yes within two seconds."
      doc="webhooks"
      actions={
        <PanelButton text="New webhook" kind="primary" needs={['manage']} title="New webhook">
          {(close) => <WebhookForm onDone={close} />}
        </PanelButton>
      }
    >
      <Loaded query={query}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <>
              <Card title="Webhooks of this paymaster">
                <Empty title="No webhooks yet.">
                  Contracts and policy alone decide. Add one if your server knows who deserves gas: a subscriber, a
                  captcha passed, a game won.
                </Empty>
              </Card>
              <Card title="A webhook to copy" lead="A whole program that verifies who calls it, and answers.">
                <HandlerSteps />
              </Card>
            </>
          ) : (
            <Webhooks webhooks={webhooks} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Webhooks({ webhooks }: { readonly webhooks: readonly ListedWebhookItem[] }) {
  const answered = useAnswers(webhooks);
  return (
    <>
      <Incidents webhooks={answered} />
      <Card
        title="Asked before each operation"
        lead="Bars: the last 30 answers, the newest at the right, as high as they took long."
        actions={
          <p className="legend">
            <span className="yes">Yes</span>
            <span className="no">No</span>
            <span className="down">No answer</span>
          </p>
        }
      >
        <ul className="list">
          {answered.map((each) => (
            <li key={each.webhook.webhookId}>
              <WebhookItem {...each} />
            </li>
          ))}
        </ul>
      </Card>
      <LastAnswers webhooks={answered} />
      <details className="fold">
        <summary>
          <h3>A webhook to copy</h3>
          <span className="muted">A whole program that verifies who calls it, and answers</span>
        </summary>
        <div className="stack">
          <HandlerSteps />
        </div>
      </details>
    </>
  );
}

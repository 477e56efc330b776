import { useQuery } from '@tanstack/react-query';
import type { CreatedApiKey } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { apiKeysQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { ApiKeyForm, ShownKey } from './api-key-form.tsx';
import { ApiKeyItem } from './api-key-item.tsx';

/** The apiKeys of a paymaster, including its own. */
export function ApiKeysPage() {
  const keys = useQuery(apiKeysQuery(usePaymaster()));
  // The item of an immediately refused key no longer exists.
  const [created, setCreated] = useState<CreatedApiKey>();
  return (
    <Page
      title="API keys"
      lead="An API key is the last part of the RPC URL. Anyone who has it can request sponsorship, within your rules."
      doc="apiKeys"
      actions={
        <PanelButton
          text="New API key"
          kind="primary"
          needs={['manage']}
          title="New API key"
          lead="Give each application its own key. You can then tell them apart and stop one without the others."
        >
          {(close) => <ApiKeyForm onDone={close} />}
        </PanelButton>
      }
    >
      <Card title="Keys" lead="A disabled key sponsors nothing until you enable it again. Ending a key is permanent.">
        <div role="status">
          {created === undefined ? null : <ShownKey created={created} onDone={() => setCreated(undefined)} />}
        </div>
        <Loaded query={keys}>
          {(list) => (
            <ul className="list">
              {list.map((apiKey) => (
                <li key={apiKey.apiKeyId}>
                  <ApiKeyItem apiKey={apiKey} onReplaced={setCreated} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}
